# judge_again: engine-conformance judges the rule again, and the script ends with what came of it. ENGINE_CONFORMANCE_COMMAND
# is the command that runs it.
judge_again() {
  command -v "${ENGINE_CONFORMANCE_COMMAND%% *}" >/dev/null 2>&1 || {
    echo "Cannot be determined: there is no command ${ENGINE_CONFORMANCE_COMMAND%% *}, which judges the rule; install it, or name it with ENGINE_CONFORMANCE_COMMAND" >&2
    exit 2
  }
  set -- run --target "$ENGINE_HOST" --api @API@ --only '@RULE@' --fail-on should --report "$D/judged" @OPTIONS@
  [ -z "${ENGINE_AUTH_USER:-}" ] || set -- "$@" --auth-user "$ENGINE_AUTH_USER"
  [ -z "${ENGINE_CA:-}" ] || set -- "$@" --tls-ca "$ENGINE_CA"
  [ -z "${ENGINE_CERT:-}" ] || set -- "$@" --tls-cert "$ENGINE_CERT"
  [ -z "${ENGINE_KEY:-}" ] || set -- "$@" --tls-key "$ENGINE_KEY"
  $ENGINE_CONFORMANCE_COMMAND "$@" >&2
  verdict=$(sed -n 's/^ *{"rule":"@PATTERN@",.*,"verdict":"\([a-z]*\)",.*/\1/p' "$D/judged/report.json" 2>/dev/null)
  case $verdict in
    @KEPT@) exit 0 ;;
    @VERDICTS@) exit 1 ;;
  esac
  echo "Cannot be determined: the verdict is now ${verdict:-missing}" >&2
  exit 2
}
: "${ENGINE_CONFORMANCE_COMMAND:=engine-conformance}"

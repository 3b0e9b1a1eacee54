# curl alone cannot show it: @REASON@. Instead, engine-conformance judges the rule again;
# ENGINE_CONFORMANCE is the command that runs it.
: "${ENGINE_CONFORMANCE:=engine-conformance}"
D=$(mktemp -d) || exit 2
trap 'rm -rf "$D"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
set -- run --target "$ENGINE_HOST" --api @API@ --only '@RULE@' --fail-on should --report "$D" @OPTIONS@
[ -z "${ENGINE_AUTH_USER:-}" ] || set -- "$@" --auth-user "$ENGINE_AUTH_USER"
[ -z "${ENGINE_CA:-}" ] || set -- "$@" --tls-ca "$ENGINE_CA"
[ -z "${ENGINE_CERT:-}" ] || set -- "$@" --tls-cert "$ENGINE_CERT"
[ -z "${ENGINE_KEY:-}" ] || set -- "$@" --tls-key "$ENGINE_KEY"
$ENGINE_CONFORMANCE "$@" >&2
verdict=$(sed -n 's/^ *{"rule":"@PATTERN@",.*,"verdict":"\([a-z]*\)",.*/\1/p' "$D/report.json")
case $verdict in
  @KEPT@) exit 0 ;;
  @VERDICTS@) exit 1 ;;
esac
echo "Cannot be determined: the verdict is now ${verdict:-missing}" >&2
exit 2

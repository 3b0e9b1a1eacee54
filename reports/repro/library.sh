# Functions that send requests and read answers. The answer to request N is in N.head, N.out, and N.json, the body taken
# apart into lines of a JSON pointer, a tab and a value.
LC_ALL=C
export LC_ALL
D=$(mktemp -d) || exit 2
PIDS=
MADE=
REACHED=

say() { printf '%s\n' "$*" >&2; }

# Ends the script when it cannot look for the deviation.
cannot() {
  say "Cannot be determined: $*"
  exit 2
}

# What was sent on the way came out otherwise, so the rest of the script decides nothing: the suite does, if it is there.
otherwise() {
  command -v "${ENGINE_CONFORMANCE_COMMAND%% *}" >/dev/null 2>&1 || cannot "$*"
  say "$*; engine-conformance judges the rule again"
  judge_again
}

nap() { sleep 0.1 2>/dev/null || sleep 1; }

# reach METHOD PATH CURL-OPTION...
reach() {
  reach_method=$1 reach_path=$2
  shift 2
  set -- -q -g -s -N --path-as-is --http1.1 --noproxy '*' -X "$reach_method" -H 'Accept:' -H 'User-Agent:' -H 'Expect:' "$@"
  [ -z "${ENGINE_CA:-}" ] || set -- "$@" --cacert "$ENGINE_CA"
  [ -z "${ENGINE_CERT:-}" ] || set -- "$@" --cert "$ENGINE_CERT"
  [ -z "${ENGINE_KEY:-}" ] || set -- "$@" --key "$ENGINE_KEY"
  case $ENGINE_HOST in
    unix://*) exec curl --unix-socket "${ENGINE_HOST#unix://}" "$@" "http://localhost$reach_path" ;;
    http://* | https://*) exec curl "$@" "${ENGINE_HOST%/}$reach_path" ;;
    tcp://*)
      case ${ENGINE_CA:-}${ENGINE_CERT:-} in
        '') exec curl "$@" "http://${ENGINE_HOST#tcp://}$reach_path" ;;
        *) exec curl "$@" "https://${ENGINE_HOST#tcp://}$reach_path" ;;
      esac
      ;;
    *) cannot "ENGINE_HOST=$ENGINE_HOST is not an address; use unix:///path/to/socket, tcp://, http:// or https://" ;;
  esac
}

# body N TEXT, or bytes N from the input: the body of request N. feed N SECONDS BASE64: sent on its stream after a pause.
body() { printf '%s' "$2" >"$D/$1.in"; }
bytes() { cat >"$D/$1.in"; }
feed() { printf '%s %s\n' "$2" "$3" >>"$D/$1.feed"; }

# begin N SECONDS METHOD PATH HEADER...: sends a request and does not wait for the answer.
begin() {
  begin_n=$1 begin_most=$2 begin_method=$3 begin_path=$4
  shift 4
  rm -f "$D/$begin_n".head "$D/$begin_n".out "$D/$begin_n".json "$D/$begin_n".rc
  : >"$D/$begin_n.out"
  typed=
  left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in [Cc]ontent-[Tt]ype:*) typed=yes ;; esac
    set -- "$@" -H "$1"
    shift
    left=$((left - 1))
  done
  # curl may not have written the head of a stream that is dropped; its verbose output is there at once.
  set -- "$@" -v -D "$D/$begin_n.head"
  # With a time limit curl reads nothing from the daemon until there is more to send.
  [ -f "$D/$begin_n.feed" ] || set -- "$@" -m "$begin_most"
  [ -n "$typed" ] || set -- "$@" -H 'Content-Type:'
  if [ "$begin_method" = HEAD ]; then
    set -- "$@" --head -o /dev/null
  else
    set -- "$@" -o "$D/$begin_n.out"
  fi
  if [ -f "$D/$begin_n.feed" ]; then
    # Without the transfer coding, curl sends its input as it is.
    [ -f "$D/$begin_n.in" ] && set -- "$@" -H "Content-Length: $(wc -c <"$D/$begin_n.in" | tr -d ' ')"
    {
      [ ! -f "$D/$begin_n.in" ] || cat "$D/$begin_n.in"
      while read -r feed_pause feed_data; do
        sleep "$feed_pause" 2>/dev/null || sleep 1
        printf '%s' "$feed_data" | base64 -d
      done <"$D/$begin_n.feed"
      # curl asks for more all the time until its input ends, and reads what comes from the daemon as long as before.
    } 2>/dev/null | (
      reach "$begin_method" "$begin_path" "$@" -H 'Transfer-Encoding:' -T .
    ) >/dev/null 2>"$D/$begin_n.err" &
  else
    if [ -f "$D/$begin_n.in" ]; then
      set -- "$@" --data-binary "@$D/$begin_n.in"
    else
      case $begin_method in POST | PUT) set -- "$@" --data-binary '' ;; esac
    fi
    (reach "$begin_method" "$begin_path" "$@") >/dev/null 2>"$D/$begin_n.err" &
  fi
  echo $! >"$D/$begin_n.pid"
  PIDS="$PIDS $!"
}

# opened N: waits for the head of a stream, so that nothing is missed; some heads come only with the first bytes.
opened() {
  opened_end=$(($(date +%s) + 30))
  while ! grep -q '< HTTP/' "$D/$1.err" 2>/dev/null && kill -0 "$(cat "$D/$1.pid")" 2>/dev/null && [ "$(date +%s)" -le "$opened_end" ]; do
    nap
  done
}

# finish N STATUS BYTES SECONDS: waits for the whole answer, or for BYTES of one that goes on. After an answer that
# refuses what succeeded when the deviation was recorded (STATUS) the suite judges; - stands for the judged answer.
finish() {
  finish_pid=$(cat "$D/$1.pid")
  if [ "$3" = - ]; then
    wait "$finish_pid"
    finish_rc=$?
    echo "$finish_rc" >"$D/$1.rc"
  else
    finish_end=$(($(date +%s) + $4))
    while [ "$(date +%s)" -le "$finish_end" ] && kill -0 "$finish_pid" 2>/dev/null; do
      [ "$(wc -c <"$D/$1.out")" -lt "$3" ] || break
      nap
    done
    echo 0 >"$D/$1.rc"
    kill "$finish_pid" 2>/dev/null
    wait "$finish_pid" 2>/dev/null
    finish_rc=$?
  fi
  # Where something is fed, a meter that curl draws may stand before the first line.
  [ -s "$D/$1.head" ] || sed -n -e 's/^.*< HTTP/HTTP/p' -e 's/^< //p' "$D/$1.err" >"$D/$1.head"
  finish_status=$(status_of "$1")
  # What curl could not resolve or connect to. A daemon that was there before may have died of a request.
  case $REACHED$finish_status/$finish_rc in
    /6 | /7) cannot "ENGINE_HOST=$ENGINE_HOST cannot be reached" ;;
  esac
  REACHED=yes
  case $2/$finish_status in
    -/*) ;;
    # Where a refusal is wanted, it may come earlier.
    [123]*/[45]*) [ -z "${REFUSAL:-}" ] || { echo "	$finish_status" >"$D/came"; mended; } ;;
  esac
  case $2/$finish_status in
    -/*) ;;
    [123]*/ | [123]*/[45]*) otherwise "request $1 answered ${finish_status:-nothing}, but $2 when the deviation was recorded: $(head -c 300 "$D/$1.out")" ;;
  esac
}

# send N STATUS METHOD PATH HEADER...
send() {
  send_n=$1 send_was=$2
  shift 2
  begin "$send_n" 120 "$@"
  finish "$send_n" "$send_was" - -
}

# poll N STATUS SECONDS POINTER VALUE METHOD PATH HEADER...: asks until the value is there.
poll() {
  poll_n=$1 poll_was=$2 poll_end=$(($(date +%s) + $3)) poll_at=$4 poll_value=$5
  shift 5
  while :; do
    send "$poll_n" "$poll_was" "$@"
    [ "$(member "$poll_n" "$poll_at")" != "$poll_value" ] || return 0
    [ "$(date +%s)" -le "$poll_end" ] || return 0
    nap
  done
}

status_of() { awk '/^HTTP\// && ($2 >= 200 || $2 == 101) { status = $2 } END { print status }' "$D/$1.head" 2>/dev/null; }

# header_of N NAME: its value as a line of JSON; nothing if there is no such header.
header_of() {
  tr -d '\r' <"$D/$1.head" | NAME=$2 awk '
    /^HTTP\// { value = ""; there = 0 }
    { at = index($0, ":"); if (at && !there && tolower(substr($0, 1, at - 1)) == tolower(ENVIRON["NAME"])) { value = substr($0, at + 1); there = 1 } }
    END { if (there) { sub(/^[ \t]+/, "", value); sub(/[ \t]+$/, "", value); print value } }' | quoted_line
}

quoted_line() { sed -e 's/[\\"]/\\&/g' -e 's/.*/	"&"/'; }

# Bytes as one line: a tab and a string of JSON.
quoted() {
  { cat; printf x; } | tr '\000' '\001' | awk '
    { text = text (NR > 1 ? "\n" : "") $0 }
    END {
      text = substr(text, 1, length(text) - 1)
      gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text)
      gsub(/\n/, "\\n", text); gsub(/\r/, "\\r", text); gsub(/\t/, "\\t", text); gsub(/\001/, "\\u0000", text)
      print "\t\"" text "\""
    }'
}

# output_of N STREAMS: what is in the frames of these streams (1 stdout, 2 stderr), or in the messages of a websocket; the
# bytes as they are without either.
output_of() {
  output_kind=frames
  ! grep -qi '^upgrade: *websocket' "$D/$1.head" || output_kind=websocket
  od -An -v -tu1 "$D/$1.out" | STREAMS=$2 KIND=$output_kind awk '
    { for (k = 1; k <= NF; k++) byte[n++] = $k }
    function put(from, size,  k) { for (k = from; k < from + size; k++) printf("%c", byte[k] + 0) }
    function size4(at) { return byte[at] * 16777216 + byte[at + 1] * 65536 + byte[at + 2] * 256 + byte[at + 3] }
    END {
      if (ENVIRON["KIND"] == "websocket") {
        for (at = 0; at + 2 <= n; at = begin + size) {
          size = byte[at + 1]; begin = at + 2
          if (size == 126) { size = byte[at + 2] * 256 + byte[at + 3]; begin = at + 4 }
          if (size == 127) { size = size4(at + 6); begin = at + 10 }
          if (begin + size > n) break
          if (byte[at] % 16 <= 2) put(begin, size)
        }
        exit
      }
      for (at = 0; at < n; at += 8 + size) {
        size = size4(at + 4)
        if (at + 8 > n || byte[at] > 2 || byte[at + 1] + byte[at + 2] + byte[at + 3] > 0 || at + 8 + size > n) { put(0, n); exit }
      }
      for (at = 0; at < n; at += 8 + size) {
        size = size4(at + 4)
        if (index(ENVIRON["STREAMS"], byte[at])) put(at + 8, size)
      }
    }'
}

# wrong_header N: where the first header of a frame stands that has a stream other than 0, 1 and 2 or bytes 1 to 3 that are
# not 0, and its bytes; nothing where all headers are right.
wrong_header() {
  [ -s "$D/$1.out" ] || cannot 'nothing came on the stream'
  od -An -v -tu1 "$D/$1.out" | awk '
    { for (k = 1; k <= NF; k++) byte[n++] = $k }
    END {
      for (at = 0; at + 4 <= n; at += 8 + size) {
        if (byte[at] > 2 || byte[at + 1] + byte[at + 2] + byte[at + 3] > 0) {
          printf("\toffset %d:", at)
          for (k = at; k < at + 8 && k < n; k++) printf(" %02x", byte[k])
          printf("\n")
          exit
        }
        size = byte[at + 4] * 16777216 + byte[at + 5] * 65536 + byte[at + 6] * 256 + byte[at + 7]
      }
    }'
}

# Text of which the same lines may come again and again.
distinct() { tr -d '\r' | tr '\000' '\001' | normal | sort -u | sed 's/^/	/'; }

# json N [one|list]: takes the body apart: the first document, or all of them as a list; without a word as a list where there
# are several. Fails where it is no JSON.
json() {
  [ -f "$D/$1.json" ] || flat "${2:-}" <"$D/$1.out" >"$D/$1.json" || rm -f "$D/$1.json"
  [ -f "$D/$1.json" ]
}

flat() {
  LIST=$1 awk '
    { t = t $0 "\n" }
    END {
      n = length(t); i = 1
      while (!bad) {
        ws()
        if (i > n) break
        starts[++docs] = o + 1
        val("")
        ends[docs] = o
        if (ENVIRON["LIST"] != "one") continue
        # What follows the first document may be another, cut off anywhere.
        ws()
        if (i <= n && substr(t, i, 1) != "{") bad = 1
        break
      }
      # A stream that was dropped may end inside a document.
      if (bad && ENVIRON["LIST"] == "list" && docs > 1) { docs--; bad = 0 }
      if (bad || !docs && ENVIRON["LIST"] != "list") exit 1
      list = docs > 1 || ENVIRON["LIST"] == "list"
      for (d = 1; d <= docs; d++) for (k = starts[d]; k <= ends[d]; k++) print (list ? "/" d - 1 : "") out[k]
      if (list) print "\t[" docs + 0
    }
    function ws() { while (i <= n && index(" \t\r\n", substr(t, i, 1))) i++ }
    function hex(s, k, v) { v = 0; for (k = 1; k <= 4; k++) v = v * 16 + index("0123456789abcdef", tolower(substr(s, k, 1))) - 1; return v }
    function utf(c) {
      if (c == 8) return "\\b"; if (c == 9) return "\\t"; if (c == 10) return "\\n"; if (c == 12) return "\\f"; if (c == 13) return "\\r"
      if (c < 32) return sprintf("\\u%04x", c)
      if (c == 34) return "\\\""; if (c == 92) return "\\\\"
      if (c < 128) return sprintf("%c", c)
      if (c < 2048) return sprintf("%c%c", 192 + int(c / 64), 128 + c % 64)
      if (c < 65536) return sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
      return sprintf("%c%c%c%c", 240 + int(c / 262144), 128 + int(c / 4096) % 64, 128 + int(c / 64) % 64, 128 + c % 64)
    }
    function str(  s, c, e, h, low) {
      i++; s = ""
      while (i <= n) {
        c = substr(t, i, 1)
        if (c == "\"") { i++; return s }
        if (c != "\\") { s = s c; i++; continue }
        e = substr(t, i + 1, 1)
        if (e != "u") { i += 2; s = s (e == "/" ? e : "\\" e); continue }
        h = hex(substr(t, i + 2, 4)); i += 6
        if (h >= 55296 && h < 56320 && substr(t, i, 2) == "\\u") {
          low = hex(substr(t, i + 2, 4)); i += 6
          h = 65536 + (h - 55296) * 1024 + low - 56320
        }
        s = s utf(h)
      }
      bad = 1
    }
    function val(p,  c, k, m) {
      ws(); c = substr(t, i, 1)
      if (c == "\"") { k = str(); out[++o] = p "\t\"" k "\""; return }
      if (c == "{" || c == "[") {
        i++; m = 0; ws()
        if (substr(t, i, 1) == (c == "{" ? "}" : "]")) { i++; out[++o] = p "\t" c "0"; return }
        for (;;) {
          k = m
          if (c == "{") {
            ws()
            if (substr(t, i, 1) != "\"") { bad = 1; return }
            k = str(); gsub(/~/, "~0", k); gsub(/\//, "~1", k); ws()
            if (substr(t, i, 1) != ":") { bad = 1; return }
            i++
          }
          val(p "/" k)
          if (bad) return
          m++; ws(); k = substr(t, i, 1); i++
          if (k == (c == "{" ? "}" : "]")) break
          if (k != ",") { bad = 1; return }
        }
        out[++o] = p "\t" c m
        return
      }
      if (!match(substr(t, i, 64), /^(true|false|null|-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?)/)) { bad = 1; return }
      out[++o] = p "\t" substr(t, i, RLENGTH); i += RLENGTH
    }'
}

# under N POINTER: the lines of a value, by pointers from it; none where it is absent.
under() {
  AT=$2 awk '{ at = ENVIRON["AT"]; rest = substr($0, length(at) + 1); if (substr($0, 1, length(at)) == at && (rest ~ /^[\/\t]/)) print rest }' "$D/$1.json" 2>/dev/null
}

# member N POINTER: a value as it is written in JSON; lists and objects by { or [ and their size.
member() { json "$1" && under "$1" "$2" | sed -n 's/^	//p'; }

# text N POINTER: a string without its quotes.
text() { member "$1" "$2" | sed -e 's/^"//' -e 's/"$//'; }

# item N LIST POINTER VALUE: the item of a list that has this value; where there is none the place after the last.
item() {
  json "$1" || return 0
  LIST=$2 AT=$3 VALUE=$4 awk '
    { tab = index($0, "\t"); path = substr($0, 1, tab - 1); value = substr($0, tab + 1) }
    value == ENVIRON["VALUE"] && substr(path, 1, length(ENVIRON["LIST"]) + 1) == ENVIRON["LIST"] "/" {
      rest = substr(path, length(ENVIRON["LIST"]) + 2); slash = index(rest, "/")
      if (slash && substr(rest, slash) == ENVIRON["AT"]) { at = substr(rest, 1, slash - 1); exit }
    }
    END { print ENVIRON["LIST"] "/" (at == "" ? "-" : at) }' "$D/$1.json"
}

# own_names N: the names that this script gave and that the answer has.
own_names() { grep -o "ec-$RUN-[a-z0-9]*" "$D/$1.out" | grep -v -e "-probe$" | sort -u | quoted_line; }

# own N: the lines of those items of a list that name something of this script; of anything else all lines.
own() {
  RUN=$RUN IDS=$IDS awk '
    { line[NR] = $0; split($0, part, "/"); item[NR] = part[2] + 0; root = $0 }
    END {
      isList = root ~ /^\t\[/
      count = split(ENVIRON["IDS"], ids, " ")
      for (k = 1; k < NR; k++) {
        if (index(line[k], ENVIRON["RUN"])) mine[item[k]] = 1
        for (j = 1; j <= count; j++) if (index(line[k], ids[j])) mine[item[k]] = 1
      }
      for (k = 1; k <= NR; k++) if (!isList) print line[k]; else if (k < NR && mine[item[k]]) { rest = substr(line[k], 2); slash = match(rest, /[\/\t]/); print substr(rest, slash) }
    }' "$D/$1.json" | sort
}

# What differs from run to run, taken out.
normal() {
  # What a daemon without the deviation has in its place may be no identifier.
  normal_ids=$(for id in $IDS; do case $id in *[!0-9A-Za-z_.-]*) ;; *) printf 's/%s/<id>/g;' "$id" ;; esac; done)
  sed -E -e "s/$RUN/<run>/g" -e "$normal_ids" @NORMAL@
}

# has_part VALUE: whether the list or the text that came has it.
has_part() {
  PART=$1 awk '
    { tab = index($0, "\t"); path = substr($0, 1, tab - 1); value = substr($0, tab + 1) }
    path ~ /^\/[0-9]+$/ && value == ENVIRON["PART"] { has = 1 }
    path == "" && value ~ /^"/ && ENVIRON["PART"] ~ /^"/ {
      part = ENVIRON["PART"]; part = substr(part, 2, length(part) - 2)
      if (index(value, part)) has = 1
    }
    END { exit !has }' "$D/came"
}

# is_field has|may-lack TYPES: whether the value that came is of one of the types, or rightly absent.
is_field() {
  LACK=$1 TYPES=$2 awk '
    function type(value) {
      if (value ~ /^"/) return "string"
      if (value ~ /^\{/) return "object"
      if (value ~ /^\[/) return "array"
      if (value == "true" || value == "false") return "boolean"
      if (value == "null") return "null"
      return value ~ /^-?[0-9]+$/ ? "integer" : "number"
    }
    function fits(value, wanted) { return wanted == "" || type(value) == wanted || wanted == "number" && type(value) == "integer" }
    { tab = index($0, "\t"); path = substr($0, 1, tab - 1); value = substr($0, tab + 1) }
    path == "" { there = 1; root = value }
    path ~ /^\/[^\/]*$/ { inner[++count] = value }
    END {
      mayLack = ENVIRON["LACK"] == "may-lack"
      if (!there) exit !mayLack
      n = split(ENVIRON["TYPES"], wanted, "|")
      for (k = 1; k <= n; k++) {
        of = ""; outer = wanted[k]
        at = index(outer, " of ")
        if (at) { of = substr(outer, at + 4); outer = substr(outer, 1, at - 1) }
        if (!fits(root, outer)) continue
        good = 1
        if (of !~ / of /) for (j = 1; j <= count; j++) if (!fits(inner[j], of)) good = 0
        if (good) exit 0
      }
      if (root == "null") exit !mayLack
      exit n > 0
    }' "$D/came"
}

tell() { awk -F'\t' '{ printf("%s%s%s", (NR > 1 ? ", " : ""), ($1 == "" ? "" : $1 " = "), substr($0, length($1) + 2)) } END { if (!NR) printf "nothing there" }' | head -c 600; }

# found: the deviation is there. mended: it is not.
found() {
  say "Still there. Expected: $EXPECTED"
  say "Came: $(tell <"$D/came")"
  exit 1
}
mended() {
  say "Not there any more. Came: $(tell <"$D/came")"
  exit 0
}

# made N MEMBER: what an answer says that it made.
made() { MADE="$MADE $(text "$1" "/$2")"; }

# remove LIST MEMBER POINTER PATH QUERY: those of a list that have a name of this script, or that an answer said to be made;
# of an image that has other names too only those of this script.
remove() {
  rm -f "$D/clean.out" "$D/clean.json"
  (reach GET "/v$API/$1" -m 20 -o "$D/clean.out") >/dev/null 2>&1
  [ -s "$D/clean.out" ] && json clean || return 0
  RUN=$RUN MADE=$MADE WHAT=$2 FIRST=$3 awk '
    BEGIN { count = split(ENVIRON["MADE"], made, " ") }
    { tab = index($0, "\t"); path = substr($0, 1, tab - 1); value = substr($0, tab + 1); gsub(/^"|"$/, "", value) }
    substr(path, 1, length(ENVIRON["FIRST"])) == ENVIRON["FIRST"] {
      split(substr(path, length(ENVIRON["FIRST"]) + 1), part, "/"); k = part[2]
      isOwn = index($0, ENVIRON["RUN"])
      if (isOwn) own[k] = 1
      if (part[3] == "RepoTags" && part[4] != "") { if (isOwn) print value; else if (value !~ /<none>/) foreign[k] = 1 }
      if (part[3] == ENVIRON["WHAT"] && part[4] == "") {
        name[k] = value
        for (j = 1; j <= count; j++) if (value == made[j]) own[k] = 1
      }
    }
    END { for (k in own) if (k != "" && name[k] != "" && !foreign[k]) print name[k] }' "$D/clean.json" | while read -r thing; do
    (reach DELETE "/v$API/$4/$thing$5" -m 60 -o /dev/null) >/dev/null 2>&1
  done
}

clean() {
  trap '' INT TERM HUP
  for pid in $PIDS; do kill "$pid" 2>/dev/null; done
  if [ -n "${SENT:-}" ]; then
    remove 'containers/json?all=1' Id '' containers '?force=1&v=1'
    remove images/json Id '' images '?force=1'
    remove volumes Name /Volumes volumes ''
    remove networks Id '' networks ''
  fi
  rm -rf "$D"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
command -v curl >/dev/null || cannot 'there is no curl'
IDS=
# A name of its own, as long as that of the run.
RUN=z$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | cut -c1-11)

#!/bin/sh
# Three bots walk on a server of their own for two seconds; muster swarm checks all that they are sent.
#
#	MUSTER=bin/muster docs/bots/bot.sh
set -eu
muster=${MUSTER:-bin/muster}
folder=$(mktemp -d)
ready=$folder/ready.json

"$muster" serve --ephemeral --ready-file "$ready" --log-level warn \
	--auth 127.0.0.1:0 --world 127.0.0.1:0 --admin 127.0.0.1:0 --open-accounts "" >/dev/null &
server=$!
trap 'code=$?; kill $server && wait $server || code=1; rm -rf "$folder"; exit $code' EXIT
until [ -f "$ready" ]; do
	kill -0 $server # it has ended: its log says why
	sleep 0.1
done

# of prints a field of the ready file.
of() { sed -n "s/^  \"$1\": \"\\(.*\\)\",*\$/\\1/p" "$ready"; }

# fail ends the test.
fail() {
	echo "$*" >&2
	exit 1
}

for n in 1 2 3; do
	"$muster" ctl --socket "$(of socket)" account create BOT$n secret
done
"$muster" swarm --auth "$(of auth)" --accounts BOT --password secret --clients 3 --behaviour walk --duration 2s --strict \
	>"$folder/report" &
bots=$!
curl -sS "http://$(of admin)/api/run" -d '{"until":"players == 3"}' | tee "$folder/run" | grep -q '"value":"3"' ||
	fail "they are not all in the world: $(cat "$folder/run")"
wait $bots || fail "the swarm failed: $(cat "$folder/report")"
grep -q '^violations  0, 3 of 3 clients' "$folder/report" || fail "$(cat "$folder/report")"
curl -sf "http://$(of admin)/readyz" | grep -q '"ready":true' || fail "the server is not ready any more"
echo "three bots walked"

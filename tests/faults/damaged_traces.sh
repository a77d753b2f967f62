#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tacho repair: traces that were damaged at random, in packets and metadata, are read by babeltrace2
# without a warning afterwards, and none of their events is missing but those that were said to be left out.
# In the soak, there are 2,000 of them. TACHO_DAMAGE_FIRST is the number of the first one.
. "${TACHO_SOURCE:-$(dirname "$0")/../..}/tests/lib.sh"
. "$TACHO_SOURCE/tests/lib-faults.sh"
need python3 babeltrace2

traces=("$TMP"/{odd-le,odd-be,compact})
# Those that are recorded differ from run to run, so a failure may not come again.
if [ -n "${TACHO_SOAK:-}" ]; then
	"$TACHO" record -o "$TMP/lossy" --buffer 64K -- "$TACHO_BUILD/tests/e2e/flood" 1 12000 \
		>"$TMP/log" 2>&1
	"$TACHO" record -o "$TMP/known" -- "$TACHO_BUILD/tests/e2e/known_values" 300 >"$TMP/log" 2>&1
	traces+=("$TMP"/{lossy,known})
fi
python3 "$TACHO_SOURCE/tests/e2e/compact_make.py" "$TMP/compact"
for order in le be; do
	python3 "$TACHO_SOURCE/tests/e2e/cut_make.py" "$TMP/odd-$order" "$order"
done
count=$(times 80 2000)
check 'what_is_damaged_at_random_is_mended' python3 "$TACHO_SOURCE/tests/faults/damaged_traces.py" \
	"$TACHO" "${TACHO_DAMAGE_FIRST:-0}" "$count" "${traces[@]}"
tried 'a damaged trace is repaired' "$count"

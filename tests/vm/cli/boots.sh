# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For suites that boot a kernel a few times and run a script of tests in each: sourced by their run. Sets $root and $work.
#
#	suite NAME	prepares: a work directory, the helper programs
#	boot KERNEL SCRIPT APPEND	the tests of $here/SCRIPT.sh in the guest, then those of $here/check.py on what it kept
#	end		prints the plan; its status is the suite's

set -u -o pipefail
export LC_ALL=C
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.." && pwd)
number=0 failures=0
python=python3	# that runs check.py
extra=()	# files for the guest, beside the scripts

suite() {	# NAME
	local program

	work=$(mktemp -d "${TMPDIR:-/tmp}/memcgtop-$1.XXXXXX") || exit 1
	trap 'rm -rf "$work"' EXIT
	for program in helper drive; do
		if ! ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -static -o "$work/$program" "$root/tests/vm/cli/$program.c"; then
			echo "Bail out! tests/vm/cli/$program.c does not build"
			exit 1
		fi
	done
	echo 'TAP version 13'
}

# Numbers the lines of tests, as they come from several boots.
collect() {	# KERNEL < TAP
	local line
	while IFS= read -r line; do
		if [[ $line =~ ^(not\ )?ok\ -\ (.*) ]]; then
			number=$((number + 1))
			[[ -z ${BASH_REMATCH[1]} ]] || failures=$((failures + 1))
			line="${BASH_REMATCH[1]}ok $number - $1: ${BASH_REMATCH[2]}"
		fi
		printf '%s\n' "$line"
	done
}

boot() {	# KERNEL SCRIPT APPEND
	local kernel=$1 script=$2 append=$3 status=0 results file files=()
	results=$work/$kernel-$script
	mkdir -p "$results"
	# shellcheck disable=SC2154 # of the suite that sources this
	for file in "$work/helper" "$work/drive" "$root/tests/vm/cli/lib.sh" "$here/$script.sh" "${extra[@]}"; do
		files+=(-x "$file")
	done
	# The lab's words and the test lines come on standard error, the results as an archive on the other.
	"$root/tests/vm/run" -k "$kernel" -t "${CLI_TIMEOUT:-600}" -a "$append" "${files[@]}" \
		-- sh -c "exec 3>&2 2> /dev/null; . /x/$script.sh" > "$results/tar" 2> "$results/log" || status=$?
	if tar -xf "$results/tar" -C "$results" ./tap 2> /dev/null && ((status == 0)); then
		tar -xf "$results/tar" -C "$results"
		collect "$kernel" < "$results/tap"
		collect "$kernel" < <("$python" "$here/check.py" "$script" "$results")
	else
		collect "$kernel" < <(grep -av '^vm:' "$results/log"; echo "not ok - the guest of $script.sh ends with status $status"
			tail -n 30 "$results/log" | sed 's/^/# /')
	fi
	[[ -z ${CLI_KEEP:-} ]] || cp -r "$results" "$CLI_KEEP/"
}

end() {
	echo "1..$number"
	((number > 0 && failures == 0))
}

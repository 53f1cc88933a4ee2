#!/usr/bin/env bash
# Makes .venv with the locked dependencies and smoothrank itself; does nothing when that is already so.
# PYTHON=... chooses the interpreter. Every failure is one line on stderr; the details go to the log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=.venv
stamp=$venv/.set-up-complete
log=.smoothrank/set-up.log
needed="smoothrank needs Python 3.11, 3.12 or 3.13"

fail() {
  echo "set-up: $*" >&2
  exit 1
}

# Prints "version venv|no-venv path" of an interpreter, or nothing when it does not run.
probe() {
  "$1" -c '
import os, sys
try:
    import ensurepip, venv
    has_venv = "venv"
except ImportError:
    has_venv = "no-venv"
base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
print("%d.%d.%d %s %s" % (sys.version_info[:3] + (has_venv, base)))
' 2>/dev/null || true
}

# What the environment was made from. The folder counts, because an environment cannot be moved.
state() {
  cat requirements.lock pyproject.toml scripts/set-up.sh | sha256sum
  printf '%s\n' "$PWD" "$1"
}

is_complete() {
  [[ -f $stamp ]] || return 1
  local made_with
  made_with=$(probe "$venv/bin/python")
  [[ -n $made_with && $(<"$stamp") == "$(state "$made_with")" ]] || return 1
  [[ -z ${PYTHON:-} || $(probe "$PYTHON") == "$made_with" ]]
}

# Sets `version`, `has_venv` and `python` to the first interpreter that will do.
choose_python() {
  local candidate answer others="" without_venv=""
  local candidates=(python3 python3.13 python3.12 python3.11)
  [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
  for candidate in "${candidates[@]}"; do
    answer=$(probe "$candidate")
    [[ -n $answer ]] || continue
    read -r version has_venv python <<<"$answer"
    case $version in
      3.11.* | 3.12.* | 3.13.*)
        [[ $has_venv == no-venv ]] || return 0
        without_venv=${without_venv:-$version}
        ;;
      *) others+="${others:+, }$candidate is $version" ;;
    esac
  done
  if [[ -n $without_venv ]]; then
    fail "Python $without_venv has no venv module: run 'apt install python${without_venv%.*}-venv', or name another Python with PYTHON=..."
  elif [[ -n $others ]]; then
    fail "$needed, but $others: install one of them, or name it with PYTHON=..."
  elif [[ -n ${PYTHON:-} ]]; then
    fail "$needed, but PYTHON=$PYTHON does not run: give the path of one that does"
  else
    fail "$needed, and none was found: run 'apt install python3 python3-venv', or name one with PYTHON=..."
  fi
}

# Runs one step of the installation with its output in the log, and says in one line why it failed.
step() {
  "$@" >>"$log" 2>&1 </dev/null && return 0
  if grep -qiE 'no space left' "$log"; then
    fail "the disk is full: free about 6 GB and call again (log: $log)"
  elif grep -qiE 'hash mismatch|do not match the hashes' "$log"; then
    fail "a package differs from its hash in requirements.lock: check the package index in use (log: $log)"
  elif grep -qiE 'connect|resolve host|name resolution|timed out|dns error|certificate|no matching distribution' "$log"; then
    fail "no way to the package index: check the network, or set PIP_INDEX_URL or HTTPS_PROXY to what this machine uses (log: $log)"
  fi
  fail "'$*' failed (log: $log)"
}

install() {
  local uv=$venv/bin/uv
  step "$python" -m venv --clear "$venv"
  sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$venv/uv.txt"
  step "$venv/bin/python" -m pip install --retries 2 --no-deps --require-hashes -r "$venv/uv.txt"
  # uv reads neither pip's settings nor, unless told, the machine's own certificates.
  [[ ! -s /etc/ssl/certs/ca-certificates.crt ]] || export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
  [[ -z ${PIP_INDEX_URL:-} || -n ${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-} ]] || export UV_DEFAULT_INDEX=$PIP_INDEX_URL
  export VIRTUAL_ENV=$PWD/$venv
  step "$uv" pip install --compile-bytecode --require-hashes -r requirements.lock
  step "$uv" pip install --no-deps --no-build-isolation --editable .
  # What the first run would have to wait for; where it cannot be kept, that run makes it.
  "$venv/bin/python" -m flows.servers.prefect_database >>"$log" 2>&1 </dev/null || true
}

mkdir -p "$(dirname "$log")"
exec 9>"$log.lock"
flock 9
is_complete && exit 0

choose_python
trap '[[ -f $stamp ]] || rm -rf "$venv"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$venv"
: >"$log"
echo "Setting up $venv with Python $version: a minute or two, once (log: $log)"
install
state "$(probe "$venv/bin/python")" >"$stamp"
echo "Set up in $SECONDS s"

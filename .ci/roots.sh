# Roots of Debian by debootstrap, for the scripts here and in matrix.d, which read it by `.` from the project's folder; `part` is what
# messages begin with. Packages come from where this machine's apt takes Debian's.

# cannot WHY: the part is skipped
cannot() { echo "$part: $1" >&2; exit 77; }
# can_make_roots: skips the part where none can be made; else `mirror` is where packages are
can_make_roots() {
  [ "$(id -u)" = 0 ] || cannot "debootstrap needs root"
  command -v debootstrap >/dev/null || cannot "debootstrap is not installed (./cmake/install-packages check)"
  unshare -m true 2>/dev/null || cannot "mounting is not allowed here"
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' | sed -n 's/^Debian main //p' | head -n 1)
  [ -n "$mirror" ] || cannot "this machine's apt knows no archive of Debian"
  proxy=""
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  [ -z "$proxy" ] || export http_proxy="$proxy"
}
# strap ROOT WORD...: debootstrap with these words, into an empty ROOT; what is said goes to ROOT.log
strap() {
  root_made=$1
  shift
  rm -rf --one-file-system "$root_made"
  mkdir -p "$root_made"
  unshare -m --propagation private debootstrap --variant=minbase "$@" "$root_made" "$mirror" >"$root_made.log" 2>&1 \
    || { tail -n 3 "$root_made.log"; cannot "debootstrap $* failed; $root_made.log has more"; }
}
# make_root SUITE ROOT: an empty Debian, in place of what was there, that takes packages from where this machine does
make_root() {
  strap "$2" "$1"
  apt-config dump | grep '^Acquire::' | grep -v '::IndexTargets' >"$2/etc/apt/apt.conf.d/99machine"
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  echo "127.0.0.1 localhost $(hostname)" >"$2/etc/hosts"
  mkdir -p "$2/ccache"
}
# keep_root SUITE ROOT COMMAND: one that stays for the next time with its packages and its ccache; COMMAND prepares it when it is new, and
# again where that was interrupted
keep_root() {
  if [ -f "$2/ready" ]; then
    : >"$2.log"
    return
  fi
  [ -f "$2/made" ] || { make_root "$1" "$2"; touch "$2/made"; }
  cp cmake/install-packages "$2/"
  inside "$2" "dpkg --configure -a
apt-get update -qq
apt-get install -y -qq --fix-broken
$3" || { tail -n 5 "$2.log"; cannot "its packages cannot be installed; $2.log has more"; }
  touch "$2/ready"
}
# put_sources FOLDER: the last commit
put_sources() {
  rm -rf "$1"
  mkdir -p "$1"
  git archive HEAD | tar -x -C "$1"
}
# inside ROOT COMMAND [WORD...]: there, with WORDs as $1 and on. Its mounts are of a namespace of its own, whose root it is, as in a
# container: what the kernel says of files has paths of there. They end with it, and what is removed afterwards never holds them. What is
# said goes to ROOT.log. `cache`: a folder of this machine that is /ccache there, `access` (ro or rw) how.
inside() {
  # shellcheck disable=SC2016
  cache=${cache:-} access=${access:-} unshare -m --propagation private sh -ec '
    root=$1 command=$2
    shift 2
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    [ -z "$cache" ] || { mount --bind "$cache" "$root/ccache"; mount -o "remount,$access,bind" "$root/ccache"; }
    cd "$root"
    pivot_root . mnt
    umount -l mnt
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 TERM=dumb CCACHE_DIR=/ccache \
      ${CMAKE_BUILD_PARALLEL_LEVEL:+"CMAKE_BUILD_PARALLEL_LEVEL=$CMAKE_BUILD_PARALLEL_LEVEL"} sh -ec "$command" sh "$@"
  ' sh "$@" >>"$1.log" 2>&1 </dev/null
}

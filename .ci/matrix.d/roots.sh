# Roots of Debian by debootstrap, for the scripts beside this one, which read it by `.`; `part` is what messages begin with. Packages come
# from where this machine's apt takes Debian's.

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
# make_root SUITE ROOT: an empty Debian, in place of what was there; what is said goes to ROOT.log
make_root() {
  rm -rf --one-file-system "$2"
  mkdir -p "$2"
  unshare -m --propagation private debootstrap --variant=minbase "$1" "$2" "$mirror" >"$2.log" 2>&1 || { tail -n 3 "$2.log"; cannot "debootstrap of $1 failed"; }
  apt-config dump | grep '^Acquire::' | grep -v '::IndexTargets' >"$2/etc/apt/apt.conf.d/99machine"
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  echo "127.0.0.1 localhost $(hostname)" >"$2/etc/hosts"
}
# inside ROOT COMMAND: there, with mounts that end with it; what is said goes to ROOT.log
inside() {
  # shellcheck disable=SC2016
  unshare -m --propagation private sh -ec '
    mount -t proc proc "$1/proc"
    mount --rbind /sys "$1/sys"
    mount --rbind /dev "$1/dev"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 TERM=dumb chroot "$1" sh -ec "$2"
  ' sh "$1" "$2" >>"$1.log" 2>&1 </dev/null
}

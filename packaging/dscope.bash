# bash completion of dscope
_dscope() {
  local cur prev
  cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  case $prev in
    --theme) mapfile -t COMPREPLY < <(compgen -W "light dark print" -- "$cur"); return ;;
    --footer) mapfile -t COMPREPLY < <(compgen -W "full short none" -- "$cur"); return ;;
    --size) mapfile -t COMPREPLY < <(compgen -W "16:9 slide 4:3 square poster a4 a4-landscape column" -- "$cur"); return ;;
    --record-failure) mapfile -t COMPREPLY < <(compgen -W "stop continue" -- "$cur"); return ;;
    --by) mapfile -t COMPREPLY < <(compgen -W "host run file none" -- "$cur"); return ;;
    --libxo) mapfile -t COMPREPLY < <(compgen -W "json xml json,pretty xml,pretty" -- "$cur"); return ;;
    --sort) mapfile -t COMPREPLY < <(compgen -W "value name" -- "$cur"); return ;;
    --unit) mapfile -t COMPREPLY < <(compgen -W "ns us ms s bytes KiB MiB GiB percent none" -- "$cur"); return ;;
    --fold) mapfile -t COMPREPLY < <(compgen -W "recursion" -- "$cur"); return ;;
    --palette | --notes) compopt -o default; return ;;
    --text-size | --top | --highlight | --mark | --keep | --drop | --from | --to) return ;;
    --title | --subtitle | --focus | --scale | --stream | -n | -P | -m | -f | -i | -b | -x | -X | -D | -U | --budget) return ;;
    --publish | --collect) mapfile -t COMPREPLY < <(compgen -W "nats:// tls://" -- "$cur"); compopt -o nospace; return ;;
    --broker) mapfile -t COMPREPLY < <(compgen -W "creds= ca= cert= key= replicas= every= wait= hosts=" -- "$cur"); compopt -o nospace; return ;;
    --on) mapfile -t COMPREPLY < <(compgen -A hostname -- "$cur"); return ;;
    --each) mapfile -t COMPREPLY < <(compgen -W "ssh= dscope= sudo=yes cost= read= every= grace= atonce= signature=" -- "$cur"); compopt -o nospace; return ;;
    --push) mapfile -t COMPREPLY < <(compgen -W "otlp+http:// otlp+https:// pyroscope+http:// pyroscope+https:// parca+http:// parca+https://" -- "$cur"); compopt -o nospace; return ;;
    --receiver) mapfile -t COMPREPLY < <(compgen -W "header= ca= cert= key= service= label= wait=" -- "$cur"); compopt -o nospace; return ;;
    --at | --for | --metrics | --signature) return ;;
    -c) mapfile -t COMPREPLY < <(compgen -c -- "$cur"); return ;;
    -p) mapfile -t COMPREPLY < <(cd /proc && compgen -G "[0-9]*" | grep "^$cur"); return ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "--export --views --record --record-failure --replay --report --again --same-scale --text --import --by --publish --collect --broker --on --each --at --for --metrics --push --receiver --signature --serve --diff --budget --budget-report --interactive
      --event --as-user --redact --no-data --scale --focus --theme --palette --size --title --subtitle --footer --text-size --transparent --top --sort --log --unit
      --highlight --mark --notes --keep --drop --mine --fold --from --to --stream --doctor --json --libxo --help --version
      -b -c -C -D -d -e -f -F -G -h -H -i -I -l -L -m -n -o -O -p -P -q -s -S -U -v -V -w -x -X -Z" -- "$cur")
  else
    compopt -o default
  fi
}
complete -F _dscope dscope

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Advice</name>
    <message>
        <source>events were lost: the trace buffer was full</source>
        <translation>Ereignisse gingen verloren: der Puffer war voll</translation>
    </message>
    <message>
        <source>values were lost: there was no room for more keys</source>
        <translation>Werte gingen verloren: für weitere Schlüssel war kein Platz</translation>
    </message>
    <message>
        <source>variables were lost: there was no room for more threads or keys</source>
        <translation>Variablen gingen verloren: für weitere Threads oder Schlüssel war kein Platz</translation>
    </message>
    <message>
        <source>speculations were lost</source>
        <translation>Spekulationen gingen verloren</translation>
    </message>
    <message>
        <source>stacks were lost</source>
        <translation>Stacks gingen verloren</translation>
    </message>
    <message>
        <source>process events were lost</source>
        <translation>Prozessereignisse gingen verloren</translation>
    </message>
    <message>
        <source>errors were lost</source>
        <translation>Fehlermeldungen gingen verloren</translation>
    </message>
    <message>
        <source>events were not seen: the kernel ran no program for them</source>
        <translation>Ereignisse wurden nicht gesehen: der Kernel führte für sie kein Programm aus</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 von %2 %3</translation>
    </message>
    <message>
        <source>%1 later records are not kept here: a recording has all</source>
        <translation>%1 spätere Einträge sind hier nicht aufgehoben: eine Aufzeichnung hat alle</translation>
    </message>
    <message>
        <source>%1 later events of processes are not kept here: a recording has all</source>
        <translation>%1 spätere Ereignisse von Prozessen sind hier nicht aufgehoben: eine Aufzeichnung hat alle</translation>
    </message>
    <message>
        <source>%1 keys with the least are left out over time</source>
        <translation>%1 Schlüssel mit dem Wenigsten fehlen im Zeitverlauf</translation>
    </message>
</context>
<context>
    <name>DrillDown</name>
    <message>
        <source>With which arguments does it start?</source>
        <translation>Mit welchen Argumenten startet es?</translation>
    </message>
    <message>
        <source>How long does it live?</source>
        <translation>Wie lange lebt es?</translation>
    </message>
    <message>
        <source>Where is its CPU time spent?</source>
        <translation>Wo bleibt seine CPU-Zeit?</translation>
    </message>
    <message>
        <source>What does it wait for?</source>
        <translation>Worauf wartet es?</translation>
    </message>
    <message>
        <source>Which system calls does it make?</source>
        <translation>Welche Systemaufrufe macht es?</translation>
    </message>
    <message>
        <source>Which files does it open?</source>
        <translation>Welche Dateien öffnet es?</translation>
    </message>
    <message>
        <source>Which programs call it?</source>
        <translation>Welche Programme rufen es auf?</translation>
    </message>
    <message>
        <source>How long does it take?</source>
        <translation>Wie lange dauert es?</translation>
    </message>
    <message>
        <source>What leads to it?</source>
        <translation>Was führt dorthin?</translation>
    </message>
    <message>
        <source>How does it fail?</source>
        <translation>Wie schlägt es fehl?</translation>
    </message>
    <message>
        <source>Who calls it?</source>
        <translation>Wer ruft sie auf?</translation>
    </message>
    <message>
        <source>With which first argument?</source>
        <translation>Mit welchem ersten Argument?</translation>
    </message>
    <message>
        <source>What does it return?</source>
        <translation>Was gibt sie zurück?</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 and more</source>
        <translation>%1 und mehr</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>unter %1</translation>
    </message>
    <message>
        <source>This alone, with the same program</source>
        <translation>Nur dies, mit demselben Programm</translation>
    </message>
    <message>
        <source>What leads to this?</source>
        <translation>Was führt hierher?</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>there is no format of that suffix for this view</source>
        <translation>für diese Ansicht gibt es kein Format mit dieser Endung</translation>
    </message>
</context>
<context>
    <name>FigureSearch</name>
    <message>
        <source>too narrow to be drawn</source>
        <translation>zum Zeichnen zu schmal</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source> in all</source>
        <translation> zusammen</translation>
    </message>
    <message>
        <source> per second</source>
        <translation> in der Sekunde</translation>
    </message>
    <message>
        <source>%1 distributions</source>
        <translation>%1 Verteilungen</translation>
    </message>
    <message>
        <source>%1 distributions of %2</source>
        <translation>%1 Verteilungen von %2</translation>
    </message>
    <message>
        <source>%1 distributions of %2 over time</source>
        <translation>%1 Verteilungen von %2 im Lauf der Zeit</translation>
    </message>
    <message>
        <source>%1 distributions over time</source>
        <translation>%1 Verteilungen im Lauf der Zeit</translation>
    </message>
    <message>
        <source>%1 during %2</source>
        <translation>%1 während %2</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 gescheitert</translation>
    </message>
    <message>
        <source>%1 frames, %2</source>
        <translation>%1 Rahmen, %2</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 aus %2</translation>
    </message>
    <message>
        <source>%1 in a bucket</source>
        <translation>%1 je Fach</translation>
    </message>
    <message>
        <source>%1 in a cell</source>
        <translation>%1 in einer Zelle</translation>
    </message>
    <message>
        <source>%1 more keys not drawn</source>
        <translation>%1 weitere Schlüssel nicht gezeichnet</translation>
    </message>
    <message>
        <source>%1 of the %2 come from %3</source>
        <translation>%1 der %2 kommen aus %3</translation>
    </message>
    <message>
        <source>%1 of the CPU time %2 is in %3</source>
        <translation>%1 der CPU-Zeit %2 sind in %3</translation>
    </message>
    <message>
        <source>%1 of the CPU time is in %2</source>
        <translation>%1 der CPU-Zeit sind in %2</translation>
    </message>
    <message>
        <source>%1 of the bytes come from %2</source>
        <translation>%1 der Bytes kommen aus %2</translation>
    </message>
    <message>
        <source>%1 of the sum comes from %2</source>
        <translation>%1 der Summe kommen aus %2</translation>
    </message>
    <message>
        <source>%1 of the time is in calls from %2</source>
        <translation>%1 der Zeit sind in Aufrufen aus %2</translation>
    </message>
    <message>
        <source>%1 of the waiting time is in %2</source>
        <translation>%1 der Wartezeit sind in %2</translation>
    </message>
    <message>
        <source>%1 of what is in focus</source>
        <translation>%1 dessen, was zu sehen ist</translation>
    </message>
    <message>
        <source>%1 of %2 on the critical path</source>
        <translation>%1 von %2 auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>%1 self</source>
        <translation>%1 selbst</translation>
    </message>
    <message>
        <source>%1 starts %2</source>
        <translation>%1 startet %2</translation>
    </message>
    <message>
        <source>%1 took longest: %2, not on the critical path</source>
        <translation>%1 dauerte am längsten: %2, nicht auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>%1 · self %2</source>
        <translation>%1 · selbst %2</translation>
    </message>
    <message>
        <source>%1, up to %2, not drawn</source>
        <translation>%1, bis %2, nicht gezeichnet</translation>
    </message>
    <message>
        <source>One of the runs does not say when its processes ran</source>
        <translation>Ein Lauf sagt nicht, wann seine Prozesse liefen</translation>
    </message>
    <message>
        <source>All processes during %1: %2</source>
        <translation>Alle Prozesse während %1: %2</translation>
    </message>
    <message>
        <source>All processes: %1</source>
        <translation>Alle Prozesse: %1</translation>
    </message>
    <message>
        <source>all processes</source>
        <translation>alle Prozesse</translation>
    </message>
    <message>
        <source>all processes during %1</source>
        <translation>alle Prozesse während %1</translation>
    </message>
    <message>
        <source>%1 of the waiting time %2 is in %3</source>
        <translation>%1 der Wartezeit %2 sind in %3</translation>
    </message>
    <message>
        <source>%1: all processes</source>
        <translation>%1: alle Prozesse</translation>
    </message>
    <message>
        <source>%1: all processes during %2</source>
        <translation>%1: alle Prozesse während %2</translation>
    </message>
    <message>
        <source>%1: process %2</source>
        <translation>%1: Prozess %2</translation>
    </message>
    <message>
        <source>(%1, run %2)</source>
        <translation>(%1, Lauf %2)</translation>
    </message>
    <message>
        <source>+%1 below</source>
        <translation>+%1 darunter</translation>
    </message>
    <message>
        <source>, %1 of another kind not shown</source>
        <translation>, %1 anderer Art nicht gezeigt</translation>
    </message>
    <message>
        <source>, doubling with every bucket</source>
        <translation>, je Fach verdoppelt</translation>
    </message>
    <message>
        <source>, in %1 steps to each power of %2</source>
        <translation>, in %1 Schritten je Potenz von %2</translation>
    </message>
    <message>
        <source>, in steps of %1</source>
        <translation>, in Schritten von %1</translation>
    </message>
    <message>
        <source>, like runs differ by %1</source>
        <translation>, gleiche Läufe liegen %1 auseinander</translation>
    </message>
    <message>
        <source>, logarithmic</source>
        <translation>, logarithmisch</translation>
    </message>
    <message>
        <source>, per %1</source>
        <translation>, je %1</translation>
    </message>
    <message>
        <source>A graph of %1 nodes is too large to be drawn</source>
        <translation>Ein Graph von %1 Knoten ist zu groß, um ihn zu zeichnen</translation>
    </message>
    <message>
        <source>A larger --size has.</source>
        <translation>Auf einer größeren Seite ist welcher.</translation>
    </message>
    <message>
        <source>A line needs several moments: print in between (tick-1s { printa(@); }), or read more often (-x aggrate=10ms).</source>
        <translation>Eine Linie braucht mehrere Zeitpunkte: zwischendurch ausgeben (tick-1s { printa(@); }) oder öfter lesen (-x aggrate=10ms).</translation>
    </message>
    <message>
        <source>A page of this size has no room for curves</source>
        <translation>Für Kurven ist hier kein Platz</translation>
    </message>
    <message>
        <source>A page of this size has no room for two runs</source>
        <translation>Für zwei Läufe ist hier kein Platz</translation>
    </message>
    <message>
        <source>A page of this size is too small for a call graph</source>
        <translation>Für einen Aufrufgraphen ist hier zu wenig Platz</translation>
    </message>
    <message>
        <source>A row appears for every process that starts, runs a program or ends.</source>
        <translation>Jeder Prozess, der startet, ein Programm ausführt oder endet, bekommt eine Zeile.</translation>
    </message>
    <message>
        <source>Both need times, as logs of strace -f -tt -T have them. The table counts the processes.</source>
        <translation>Beide brauchen Zeiten, wie Protokolle von strace -f -tt -T sie haben. Die Tabelle hat die Anzahlen der Prozesse.</translation>
    </message>
    <message>
        <source>Most lead there from: %1.</source>
        <translation>Die meisten führen dorthin aus: %1.</translation>
    </message>
    <message>
        <source>Where the CPU time goes</source>
        <translation>Wo die CPU-Zeit bleibt</translation>
    </message>
    <message>
        <source>Who calls what, and where the CPU time goes</source>
        <translation>Wer wen aufruft und wo die CPU-Zeit bleibt</translation>
    </message>
    <message>
        <source>a step is %1</source>
        <translation>ein Schritt sind %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>all %1 together</source>
        <translation>alle %1 zusammen</translation>
    </message>
    <message>
        <source>all: %1</source>
        <translation>alles: %1</translation>
    </message>
    <message>
        <source>and %1 below them</source>
        <translation>und %1 darunter</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>at work at once,</source>
        <translation>zugleich tätig,</translation>
    </message>
    <message>
        <source>Bars grow when the program&apos;s probes fire.</source>
        <translation>Balken wachsen, wenn die Proben des Programms feuern.</translation>
    </message>
    <message>
        <source>Bars grow when these probes fire: %1</source>
        <translation>Balken wachsen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>before tracing</source>
        <translation>von vorher</translation>
    </message>
    <message>
        <source>beyond the range</source>
        <translation>außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>Both have to be runs of a command, as with -c.</source>
        <translation>Beide müssen Läufe eines Befehls sein, wie mit -c.</translation>
    </message>
    <message>
        <source>Both runs have to tell of processes, as examples/process-tree.d does.</source>
        <translation>Beide Läufe müssen von Prozessen berichten, wie examples/process-tree.d es tut.</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Calls appear when functions are entered and left.</source>
        <translation>Aufrufe erscheinen, wenn Funktionen betreten und verlassen werden.</translation>
    </message>
    <message>
        <source>Calls appear when these probes fire: %1</source>
        <translation>Aufrufe erscheinen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>calls itself: up to %1 at once, as one frame</source>
        <translation>ruft sich selbst auf: bis zu %1 zugleich, als ein Rahmen</translation>
    </message>
    <message>
        <source>calls within a cycle</source>
        <translation>Aufrufe im Kreis</translation>
    </message>
    <message>
        <source>Columns appear when the program&apos;s probes fire.</source>
        <translation>Spalten erscheinen, wenn die Proben des Programms feuern.</translation>
    </message>
    <message>
        <source>Columns appear when these probes fire: %1</source>
        <translation>Spalten erscheinen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>critical path: %1 of %2</source>
        <translation>kritischer Pfad: %1 von %2</translation>
    </message>
    <message>
        <source>cumulative share</source>
        <translation>Anteil bis hierher</translation>
    </message>
    <message>
        <source>Duration, of the longest</source>
        <translation>Dauer, die längste</translation>
    </message>
    <message>
        <source>ended by a signal</source>
        <translation>durch ein Signal beendet</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>exec failed</source>
        <translation>exec gescheitert</translation>
    </message>
    <message>
        <source>exec of %1 failed</source>
        <translation>exec von %1 gescheitert</translation>
    </message>
    <message>
        <source>exec of %1 failed: %2</source>
        <translation>exec von %1 gescheitert: %2</translation>
    </message>
    <message>
        <source>Export it as .dot or .csv, or let the program print only the edges that matter.</source>
        <translation>Er lässt sich als .dot oder .csv exportieren, oder das Programm gibt nur die Kanten aus, auf die es ankommt.</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Frames are named from the root, joined by &apos;;&apos;, as in the CSV.</source>
        <translation>Rahmen werden von der Wurzel an genannt, mit &apos;;&apos; dazwischen, wie in der CSV-Datei.</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>Functions are named as in the CSV. The longest: %1</source>
        <translation>Funktionen heißen wie in der CSV-Datei. Am längsten: %1</translation>
    </message>
    <message>
        <source>Functions are named as in the flame graph. In the most stacks: %1</source>
        <translation>Funktionen heißen wie im Flammengraphen. In den meisten Stacks: %1</translation>
    </message>
    <message>
        <source>generated code</source>
        <translation>erzeugter Code</translation>
    </message>
    <message>
        <source>Graphviz could not lay out the calls</source>
        <translation>Graphviz konnte die Aufrufe nicht anordnen</translation>
    </message>
    <message>
        <source>Graphviz could not lay out what the program printed</source>
        <translation>Graphviz konnte nicht anordnen, was das Programm ausgab</translation>
    </message>
    <message>
        <source>grew</source>
        <translation>gewachsen</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>in a cycle with</source>
        <translation>im Kreis mit</translation>
    </message>
    <message>
        <source>in all %1, %2</source>
        <translation>zusammen %1, %2</translation>
    </message>
    <message>
        <source>In the most stacks: %1. A larger --size has room for who calls whom.</source>
        <translation>In den meisten Stacks: %1. Auf einer größeren Seite ist Platz dafür, wer wen aufruft.</translation>
    </message>
    <message>
        <source>inlined</source>
        <translation>eingesetzt</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>größer</translation>
    </message>
    <message>
        <source>less than 5 % of change</source>
        <translation>weniger als 5 % Änderung</translation>
    </message>
    <message>
        <source>less than 5 % of change, or 0.5 % of all</source>
        <translation>weniger als 5 % Änderung oder 0,5 % von allem</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Lines and outlines</source>
        <translation>Linien und Umrisse</translation>
    </message>
    <message>
        <source>Lines grow when the program&apos;s probes fire.</source>
        <translation>Linien wachsen, wenn die Proben des Programms feuern.</translation>
    </message>
    <message>
        <source>Lines grow when these probes fire: %1</source>
        <translation>Linien wachsen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>longer</source>
        <translation>länger</translation>
    </message>
    <message>
        <source>may be chance</source>
        <translation>vielleicht Zufall</translation>
    </message>
    <message>
        <source>may be chance (Kolmogorov–Smirnov, 5 % in all)</source>
        <translation>vielleicht Zufall (Kolmogorov–Smirnov, 5 % insgesamt)</translation>
    </message>
    <message>
        <source>may be chance (Kolmogorov–Smirnov, 5 % in all; no more than like runs)</source>
        <translation>vielleicht Zufall (Kolmogorov–Smirnov, 5 % insgesamt; nicht mehr als gleiche Läufe)</translation>
    </message>
    <message>
        <source>may be chance (within %1σ)</source>
        <translation>vielleicht Zufall (innerhalb von %1σ)</translation>
    </message>
    <message>
        <source>No call of %1</source>
        <translation>Kein Aufruf von %1</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>Noch keine Aufrufe</translation>
    </message>
    <message>
        <source>No code of a file was met</source>
        <translation>Es kam kein Code aus einer Datei vor</translation>
    </message>
    <message>
        <source>No graph printed yet</source>
        <translation>Noch kein Graph ausgegeben</translation>
    </message>
    <message>
        <source>No lines are known</source>
        <translation>Es sind keine Zeilen bekannt</translation>
    </message>
    <message>
        <source>No lines are known of %1</source>
        <translation>Von %1 sind keine Zeilen bekannt</translation>
    </message>
    <message>
        <source>No process has started or ended in either run</source>
        <translation>In keinem der beiden Läufe hat ein Prozess begonnen oder geendet</translation>
    </message>
    <message>
        <source>No process has started or ended yet</source>
        <translation>Noch hat kein Prozess begonnen oder geendet</translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation>Noch keine Stichproben</translation>
    </message>
    <message>
        <source>No stack begins with %1</source>
        <translation>Kein Stack beginnt mit %1</translation>
    </message>
    <message>
        <source>No stack has %1 in it</source>
        <translation>In keinem Stack steht %1</translation>
    </message>
    <message>
        <source>No stack is left by what was asked for</source>
        <translation>Kein Stack bleibt von dem, was verlangt wurde</translation>
    </message>
    <message>
        <source>No stacks have %1</source>
        <translation>In keinem Stack steht %1</translation>
    </message>
    <message>
        <source>No stacks yet</source>
        <translation>Noch keine Stacks</translation>
    </message>
    <message>
        <source>No values yet</source>
        <translation>Noch keine Werte</translation>
    </message>
    <message>
        <source>Nodes appear when the program&apos;s probes fire.</source>
        <translation>Knoten erscheinen, wenn die Proben des Programms feuern.</translation>
    </message>
    <message>
        <source>Nodes appear when these probes fire: %1</source>
        <translation>Knoten erscheinen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>non-zero exit</source>
        <translation>Ende mit Fehler</translation>
    </message>
    <message>
        <source>not shown one by one</source>
        <translation>nicht einzeln gezeigt</translation>
    </message>
    <message>
        <source>Nothing counted yet</source>
        <translation>Noch nichts gezählt</translation>
    </message>
    <message>
        <source>Nothing recorded yet</source>
        <translation>Noch nichts aufgezeichnet</translation>
    </message>
    <message>
        <source>Option ustacklines asks for them, and the program&apos;s debug information has them.</source>
        <translation>Die Option ustacklines fragt nach ihnen, und die Debug-Informationen des Programms haben sie.</translation>
    </message>
    <message>
        <source>on the critical path</source>
        <translation>auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>parent waits (vfork, posix_spawn)</source>
        <translation>Elternprozess wartet (vfork, posix_spawn)</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>Perzentile</translation>
    </message>
    <message>
        <source>processes at work at once: at most %1</source>
        <translation>Prozesse zugleich tätig: höchstens %1</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Read only once, at the end</source>
        <translation>Nur einmal gelesen, am Ende</translation>
    </message>
    <message>
        <source>Rows appear when the program&apos;s probes fire.</source>
        <translation>Zeilen erscheinen, wenn die Proben des Programms feuern.</translation>
    </message>
    <message>
        <source>Rows appear when these probes fire: %1</source>
        <translation>Zeilen erscheinen, wenn diese Proben feuern: %1</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>self %1, %2</source>
        <translation>selbst %1, %2</translation>
    </message>
    <message>
        <source>self %1, total %2, %3 of all</source>
        <translation>selbst %1, zusammen %2, %3 von allem</translation>
    </message>
    <message>
        <source>shorter</source>
        <translation>kürzer</translation>
    </message>
    <message>
        <source>shrank</source>
        <translation>geschrumpft</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>smaller</source>
        <translation>kleiner</translation>
    </message>
    <message>
        <source>Stacks of programs have it: ustack() as a key.</source>
        <translation>Stacks von Programmen haben ihn: ustack() als Schlüssel.</translation>
    </message>
    <message>
        <source>still running</source>
        <translation>läuft noch</translation>
    </message>
    <message>
        <source>system call</source>
        <translation>Systemaufruf</translation>
    </message>
    <message>
        <source>The code of %1 can&apos;t be read</source>
        <translation>Der Code von %1 lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>The program quantizes values when its probes fire.</source>
        <translation>Das Programm ordnet Werte ein, wenn seine Proben feuern.</translation>
    </message>
    <message>
        <source>The program quantizes values when its probes fire: %1</source>
        <translation>Das Programm ordnet Werte ein, wenn seine Proben feuern: %1</translation>
    </message>
    <message>
        <source>The program records stacks when its probes fire: %1</source>
        <translation>Das Programm zeichnet Stacks auf, wenn seine Proben feuern: %1</translation>
    </message>
    <message>
        <source>The same stacks are there as a flame graph.</source>
        <translation>Dieselben Stacks gibt es als Flammengraph.</translation>
    </message>
    <message>
        <source>The tree grows with every process that starts, runs a program or ends.</source>
        <translation>Der Baum wächst mit jedem Prozess, der startet, ein Programm ausführt oder endet.</translation>
    </message>
    <message>
        <source>The view lines lists the functions that have some.</source>
        <translation>Die Ansicht Zeilen nennt die Funktionen, die welche haben.</translation>
    </message>
    <message>
        <source>The view table lists the functions that have some.</source>
        <translation>Die Ansicht Tabelle nennt die Funktionen, die in welchen stehen.</translation>
    </message>
    <message>
        <source>the whole run</source>
        <translation>der ganze Lauf</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>time in the call</source>
        <translation>Zeit im Aufruf</translation>
    </message>
    <message>
        <source>to within a bucket</source>
        <translation>auf ein Fach genau</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>What decided the time is not known of both runs</source>
        <translation>Was die Zeit bestimmt hat, ist nicht von beiden Läufen bekannt</translation>
    </message>
    <message>
        <source>What the program prints is no graph that Graphviz reads</source>
        <translation>Was das Programm ausgibt, ist kein Graph, den Graphviz liest</translation>
    </message>
    <message>
        <source>Write it to a .dot file and look at it with dot itself.</source>
        <translation>Es lässt sich in eine .dot-Datei schreiben und mit dot selbst ansehen.</translation>
    </message>
    <message>
        <source>waiting is not in it: %1 of CPU time in %2</source>
        <translation>Warten ist nicht enthalten: %1 CPU-Zeit in %2</translation>
    </message>
    <message>
        <source>… %1 more</source>
        <translation>… %1 weitere</translation>
    </message>
    <message>
        <source>… %1 more together</source>
        <translation>… %1 weitere zusammen</translation>
    </message>
    <message>
        <source>… %1 more with %2</source>
        <translation>… %1 weitere mit %2</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source>%1 %2 (self %3)</source>
        <translation>%1 %2 (selbst %3)</translation>
    </message>
    <message>
        <source>%1 aggregation of another kind not shown</source>
        <translation>%1 Aggregation anderer Art nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 aggregations of another kind not shown</source>
        <translation>%1 Aggregationen anderer Art nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 amount of 0 or less not drawn</source>
        <translation>%1 Wert von 0 oder weniger nicht gezeichnet</translation>
    </message>
    <message>
        <source>%1 amounts of 0 or less not drawn</source>
        <translation>%1 Werte von 0 oder weniger nicht gezeichnet</translation>
    </message>
    <message>
        <source>No amount is above 0</source>
        <translation>Kein Wert ist größer als 0</translation>
    </message>
    <message>
        <source>%1 and %2 more column</source>
        <translation>%1 und %2 weitere Spalte</translation>
    </message>
    <message>
        <source>%1 and %2 more columns</source>
        <translation>%1 und %2 weitere Spalten</translation>
    </message>
    <message>
        <source>%1 and %2 other keys</source>
        <translation>%1 und %2 weitere Schlüssel</translation>
    </message>
    <message>
        <source>%1 and %2 other lines</source>
        <translation>%1 und %2 weitere Zeilen</translation>
    </message>
    <message>
        <source>%1 and another key</source>
        <translation>%1 und ein weiterer Schlüssel</translation>
    </message>
    <message>
        <source>%1 and another line</source>
        <translation>%1 und eine weitere Zeile</translation>
    </message>
    <message>
        <source>%1 are one process: %2</source>
        <translation>%1 sind ein Prozess: %2</translation>
    </message>
    <message>
        <source>%1 are shown</source>
        <translation>%1 gezeigt</translation>
    </message>
    <message>
        <source>%1 are smaller than %2</source>
        <translation>%1 sind kleiner als %2</translation>
    </message>
    <message>
        <source>%1 buckets</source>
        <translation>%1 Fächer</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 nach %2</translation>
    </message>
    <message>
        <source>%1 call</source>
        <translation>%1 Aufruf</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>%1 calls, each too short to see</source>
        <translation>%1 Aufrufe, jeder zu kurz zum Zeigen</translation>
    </message>
    <message>
        <source>%1 deeper level is not shown</source>
        <translation>%1 tiefere Ebene nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 deeper level not shown</source>
        <translation>%1 tiefere Ebene nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 deeper levels are not shown</source>
        <translation>%1 tiefere Ebenen nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 deeper levels not shown</source>
        <translation>%1 tiefere Ebenen nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 drop</source>
        <translation>%1 Verlust</translation>
    </message>
    <message>
        <source>%1 drops</source>
        <translation>%1 Verluste</translation>
    </message>
    <message>
        <source>%1 earlier record not shown while the run goes on</source>
        <translation>%1 früherer Datensatz nicht gezeigt, solange der Lauf geht</translation>
    </message>
    <message>
        <source>%1 earlier records not shown while the run goes on</source>
        <translation>frühere Datensätze nicht gezeigt, solange der Lauf geht: %1</translation>
    </message>
    <message>
        <source>%1 end in code whose lines are not known</source>
        <translation>%1 enden in Code, dessen Zeilen nicht bekannt sind</translation>
    </message>
    <message>
        <source>%1 ended by a signal</source>
        <translation>%1 durch ein Signal beendet</translation>
    </message>
    <message>
        <source>%1 event</source>
        <translation>%1 Ereignis</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>%1 execs</source>
        <translation>%1-mal exec</translation>
    </message>
    <message>
        <source>%1 folded</source>
        <translation>%1 gefaltet</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Rahmen</translation>
    </message>
    <message>
        <source>%1 function</source>
        <translation>%1 Funktion</translation>
    </message>
    <message>
        <source>%1 functions</source>
        <translation>%1 Funktionen</translation>
    </message>
    <message>
        <source>%1 had not returned (→)</source>
        <translation>%1 noch nicht zurückgekehrt (→)</translation>
    </message>
    <message>
        <source>%1 has %2 of all %3</source>
        <translation>%1 hat %2 aller %3</translation>
    </message>
    <message>
        <source>%1 has %2 of all bytes</source>
        <translation>%1 hat %2 aller Bytes</translation>
    </message>
    <message>
        <source>%1 has %2 of all time</source>
        <translation>%1 hat %2 der gesamten Zeit</translation>
    </message>
    <message>
        <source>%1 has %2 of the %3 of %4 or more</source>
        <translation>%1 hat %2 der %3 ab %4</translation>
    </message>
    <message>
        <source>%1 has %2 of the sum</source>
        <translation>%1 hat %2 der Summe</translation>
    </message>
    <message>
        <source>%1 has the largest</source>
        <translation>%1 hat die größten</translation>
    </message>
    <message>
        <source>%1 has the largest: half %2 or more</source>
        <translation>%1 hat die größten: die Hälfte %2 oder mehr</translation>
    </message>
    <message>
        <source>%1 has the largest: half of its %2 %3 or more, of each other less than %4</source>
        <translation>%1 hat die größten: die Hälfte seiner %2 %3 oder mehr, bei jedem anderen weniger als %4</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>zusammen %1</translation>
    </message>
    <message>
        <source>%1 in stacks of more than %2 frames on a side, which are not shown further</source>
        <translation>%1 in Stacks von mehr als %2 Rahmen auf einer Seite, die nicht weiter gezeigt sind</translation>
    </message>
    <message>
        <source>%1 in stacks of more than %2 frames, which are not shown further</source>
        <translation>%1 in Stacks von mehr als %2 Rahmen, die nicht weiter gezeigt sind</translation>
    </message>
    <message>
        <source>%1 later record not kept</source>
        <translation>%1 späterer Datensatz nicht behalten</translation>
    </message>
    <message>
        <source>%1 later records not kept</source>
        <translation>spätere Datensätze nicht behalten: %1</translation>
    </message>
    <message>
        <source>%1 level further away not shown</source>
        <translation>%1 weiter entfernte Ebene nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 levels further away not shown</source>
        <translation>%1 weiter entfernte Ebenen nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation>%1 länger</translation>
    </message>
    <message>
        <source>%1 longer, %2 %3</source>
        <translation>%1 länger, %2 %3</translation>
    </message>
    <message>
        <source>%1 longer, %2 of it in %3</source>
        <translation>%1 länger, davon %2 in %3</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 more commands ran %2 times, each in one directory, %3 in all</source>
        <translation>%1 weitere Befehle liefen %2-mal, jeder in einem Verzeichnis, zusammen %3</translation>
    </message>
    <message>
        <source>%1 more not shown</source>
        <translation>%1 weitere nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 more table has no room</source>
        <translation>für %1 weitere Tabelle ist kein Platz</translation>
    </message>
    <message>
        <source>%1 more tables have no room</source>
        <translation>für %1 weitere Tabellen ist kein Platz</translation>
    </message>
    <message>
        <source>%1 more thread not shown</source>
        <translation>%1 weiterer Thread nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 more threads not shown</source>
        <translation>%1 weitere Threads nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 nodes, %2 edges, as the program printed them</source>
        <translation>Knoten: %1, Kanten: %2, wie das Programm sie ausgab</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 call</source>
        <translation>%1 von %2 Aufruf</translation>
    </message>
    <message>
        <source>%1 of %2 calls</source>
        <translation>%1 von %2 Aufrufen</translation>
    </message>
    <message>
        <source>%1 of %2 event</source>
        <translation>%1 von %2 Ereignis</translation>
    </message>
    <message>
        <source>%1 of %2 events</source>
        <translation>%1 von %2 Ereignissen</translation>
    </message>
    <message>
        <source>%1 of %2 in %3 thread, %4</source>
        <translation>%1 von %2 in %3 Thread, %4</translation>
    </message>
    <message>
        <source>%1 of %2 in %3 threads, %4</source>
        <translation>%1 von %2 in %3 Threads, %4</translation>
    </message>
    <message>
        <source>%1 of %2 on %3 CPU, in the order of their lines: the text tells no times</source>
        <translation>%1 von %2 auf %3 CPU, in der Reihenfolge der Zeilen: Der Text nennt keine Zeiten</translation>
    </message>
    <message>
        <source>%1 of %2 on %3 CPUs, in the order of their lines: the text tells no times</source>
        <translation>%1 von %2 auf %3 CPUs, in der Reihenfolge der Zeilen: Der Text nennt keine Zeiten</translation>
    </message>
    <message>
        <source>%1 of %2 sample</source>
        <translation>%1 von %2 Stichprobe</translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation>%1 von %2 Stichproben</translation>
    </message>
    <message>
        <source>%1 of %2 value</source>
        <translation>%1 von %2 Wert</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%1 von %2 Werten</translation>
    </message>
    <message>
        <source>%1 of a constant</source>
        <translation>%1 einer Konstanten</translation>
    </message>
    <message>
        <source>%1 of all</source>
        <translation>%1 von allem</translation>
    </message>
    <message>
        <source>%1 of all %2 came within %3, after %4</source>
        <translation>%2: %1 kamen innerhalb von %3, nach %4</translation>
    </message>
    <message>
        <source>%1 of all threads&apos; time</source>
        <translation>%1 der Zeit aller Threads</translation>
    </message>
    <message>
        <source>%1 of all time</source>
        <translation>%1 der gesamten Zeit</translation>
    </message>
    <message>
        <source>%1 of it shown, from %2 on</source>
        <translation>davon %1 gezeigt, ab %2</translation>
    </message>
    <message>
        <source>%1 of the %2 are below %3</source>
        <translation>%1 der %2 liegen unter %3</translation>
    </message>
    <message>
        <source>%1 of the %2 are in %3</source>
        <translation>%1 der %2 sind in %3</translation>
    </message>
    <message>
        <source>%1 of the %2 are smaller than %3, %4 are %5 or more</source>
        <translation>%1 der %2 sind kleiner als %3, %4 sind %5 oder mehr</translation>
    </message>
    <message>
        <source>%1 of the %2 end early</source>
        <translation>%1 der %2 enden vorzeitig</translation>
    </message>
    <message>
        <source>%1 of the %2 of %3 or more came within %4, after %5</source>
        <translation>%1 der %2 ab %3 kamen innerhalb von %4, nach %5</translation>
    </message>
    <message>
        <source>%1 of the %2 take less than %3, %4 take %5 or more</source>
        <translation>%1 der %2 dauern weniger als %3, %4 dauern %5 oder länger</translation>
    </message>
    <message>
        <source>%1 of the bytes are in %2</source>
        <translation>%1 der Bytes sind in %2</translation>
    </message>
    <message>
        <source>%1 of the sum is in %2</source>
        <translation>%1 der Summe sind in %2</translation>
    </message>
    <message>
        <source>%1 of the sum is in stacks that end early</source>
        <translation>%1 der Summe sind in Stacks, die vorzeitig enden</translation>
    </message>
    <message>
        <source>%1 of the time is in %2</source>
        <translation>%1 der Zeit sind in %2</translation>
    </message>
    <message>
        <source>%1 of the time is in stacks that end early</source>
        <translation>%1 der Zeit sind in Stacks, die vorzeitig enden</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 or more: %2 in %3</source>
        <translation>%1 oder mehr: %2 in %3</translation>
    </message>
    <message>
        <source>%1 other events not shown: choose one with --event NAME</source>
        <translation>%1 weitere Ereignisse nicht gezeigt: wählbar mit --event NAME</translation>
    </message>
    <message>
        <source>%1 other event not shown: choose it with --event NAME</source>
        <translation>%1 weiteres Ereignis nicht gezeigt: wählbar mit --event NAME</translation>
    </message>
    <message>
        <source>%1 other aggregation not shown</source>
        <translation>%1 andere Aggregation nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 other aggregations not shown</source>
        <translation>%1 andere Aggregationen nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 other process not shown</source>
        <translation>%1 anderer Prozess nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 other processes not shown</source>
        <translation>%1 andere Prozesse nicht gezeigt</translation>
    </message>
    <message>
        <source>%1 over time</source>
        <translation>%1 im Zeitverlauf</translation>
    </message>
    <message>
        <source>%1 peak at %2 after %3, %4 times the median</source>
        <translation>%1: Spitze von %2 nach %3, das %4-Fache des Medians</translation>
    </message>
    <message>
        <source>%1 process</source>
        <translation>%1 Prozess</translation>
    </message>
    <message>
        <source>%1 processes</source>
        <translation>%1 Prozesse</translation>
    </message>
    <message>
        <source>%1 processes before, %2 after</source>
        <translation>Prozesse: vorher %1, nachher %2</translation>
    </message>
    <message>
        <source>%1 ran %2 times in one directory, %3 in all</source>
        <translation>%1 lief %2-mal in einem Verzeichnis, zusammen %3</translation>
    </message>
    <message>
        <source>%1 record lost</source>
        <translation>%1 Datensatz verloren</translation>
    </message>
    <message>
        <source>%1 records lost</source>
        <translation>%1 Datensätze verloren</translation>
    </message>
    <message>
        <source>%1 relations</source>
        <translation>%1 Beziehungen</translation>
    </message>
    <message>
        <source>%1 return without a call</source>
        <translation>%1 Rückkehr ohne Aufruf</translation>
    </message>
    <message>
        <source>%1 returns without a call</source>
        <translation>%1-mal Rückkehr ohne Aufruf</translation>
    </message>
    <message>
        <source>%1 row</source>
        <translation>%1 Zeile</translation>
    </message>
    <message>
        <source>%1 row of two runs</source>
        <translation>%1 Zeile aus zwei Läufen</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 rows of two runs</source>
        <translation>%1 Zeilen aus zwei Läufen</translation>
    </message>
    <message>
        <source>%1 sample</source>
        <translation>%1 Stichprobe</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Stichproben</translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation>%1 kürzer</translation>
    </message>
    <message>
        <source>%1 shorter, %2 %3</source>
        <translation>%1 kürzer, %2 %3</translation>
    </message>
    <message>
        <source>%1 shorter, %2 of it in %3</source>
        <translation>%1 kürzer, davon %2 in %3</translation>
    </message>
    <message>
        <source>%1 still running</source>
        <translation>%1 noch aktiv</translation>
    </message>
    <message>
        <source>%1 take less than %2</source>
        <translation>%1 dauern weniger als %2</translation>
    </message>
    <message>
        <source>%1 takes longest</source>
        <translation>%1 dauert am längsten</translation>
    </message>
    <message>
        <source>%1 takes longest: half %2 or more</source>
        <translation>%1 dauert am längsten: die Hälfte %2 oder mehr</translation>
    </message>
    <message>
        <source>%1 takes longest: half of its %2 %3 or more, of each other less than %4</source>
        <translation>%1 dauert am längsten: die Hälfte seiner %2 %3 oder mehr, bei jedem anderen weniger als %4</translation>
    </message>
    <message>
        <source>%1 to %2: %3.</source>
        <translation>%1 zu %2: %3.</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>%1 took longest: %2</source>
        <translation>%1 dauerte am längsten: %2</translation>
    </message>
    <message>
        <source>%1 value</source>
        <translation>%1 Wert</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>%1 within %2</source>
        <translation>%1 innerhalb von %2</translation>
    </message>
    <message>
        <source>%1 · %2 self, %3 with what it calls</source>
        <translation>%1 · %2 selbst, %3 mit dem, was sie aufruft</translation>
    </message>
    <message>
        <source>%1, %2 in all.</source>
        <translation>%1, zusammen %2.</translation>
    </message>
    <message>
        <source>%1, %2 of them end in this function</source>
        <translation>%1, davon enden %2 in dieser Funktion</translation>
    </message>
    <message>
        <source>%1, after</source>
        <translation>%1, nachher</translation>
    </message>
    <message>
        <source>%1, all of them in the CSV</source>
        <translation>%1, alle in der CSV-Datei</translation>
    </message>
    <message>
        <source>%1, before</source>
        <translation>%1, vorher</translation>
    </message>
    <message>
        <source>%1, mostly: %2</source>
        <translation>%1, meist: %2</translation>
    </message>
    <message>
        <source>%1, peak %2</source>
        <translation>%1, Spitze %2</translation>
    </message>
    <message>
        <source>%1, thread %2</source>
        <translation>%1, Thread %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 or more</source>
        <translation>%1: %2 ab %3</translation>
    </message>
    <message>
        <source>%1: %2, %3 of all, %4 self.</source>
        <translation>%1: %2, %3 von allem, %4 selbst.</translation>
    </message>
    <message>
        <source>%1: %2, %3 times</source>
        <translation>%1: %2, %3-mal</translation>
    </message>
    <message>
        <source>%1: %2, %3 times, first %4</source>
        <translation>%1: %2, %3-mal, zuerst %4</translation>
    </message>
    <message>
        <source>%1: %2, most of them, %3, in %4 until %5.</source>
        <translation>%1: %2, die meisten, %3, in %4 bis %5.</translation>
    </message>
    <message>
        <source>%1: %2, p50 about %3, p99 about %4, %5.</source>
        <translation>%1: %2, p50 etwa %3, p99 etwa %4, %5.</translation>
    </message>
    <message>
        <source>%1: %2, p50 about %3, p99 about %4.</source>
        <translation>%1: %2, p50 etwa %3, p99 etwa %4.</translation>
    </message>
    <message>
        <source>%1: at most %2.</source>
        <translation>%1: höchstens %2.</translation>
    </message>
    <message>
        <source>%1: in all %2.</source>
        <translation>%1: zusammen %2.</translation>
    </message>
    <message>
        <source>%1: peak of %2 after %3, %4 times the median</source>
        <translation>%1: Spitze von %2 nach %3, das %4-Fache des Medians</translation>
    </message>
    <message>
        <source>(%1 %2 in all)</source>
        <translation>(zusammen %1 %2)</translation>
    </message>
    <message>
        <source>(%1 in all)</source>
        <translation>(zusammen %1)</translation>
    </message>
    <message>
        <source>(cpu %1)</source>
        <translation>(CPU %1)</translation>
    </message>
    <message>
        <source>, %1 of them in %2 cycle</source>
        <translation>, davon %1 in %2 Kreis</translation>
    </message>
    <message>
        <source>, %1 of them in %2 cycles</source>
        <translation>, davon %1 in %2 Kreisen</translation>
    </message>
    <message>
        <source>, %1 of them in grey</source>
        <translation>, davon %1 in Grau</translation>
    </message>
    <message>
        <source>, had not returned</source>
        <translation>, noch nicht zurückgekehrt</translation>
    </message>
    <message>
        <source>, in grey</source>
        <translation>, in Grau</translation>
    </message>
    <message>
        <source>, its return was not seen</source>
        <translation>, Rückkehr nicht gesehen</translation>
    </message>
    <message>
        <source>, running since before tracing began</source>
        <translation>, lief schon vor Beginn des Laufs</translation>
    </message>
    <message>
        <source>, sums to within %1</source>
        <translation>, Summen auf %1 genau</translation>
    </message>
    <message>
        <source>, was %1</source>
        <translation>, vorher %1</translation>
    </message>
    <message>
        <source>; min() and max() since the start</source>
        <translation>; min() und max() seit Beginn</translation>
    </message>
    <message>
        <source>a column is %1</source>
        <translation>eine Spalte sind %1</translation>
    </message>
    <message>
        <source>A graph that can&apos;t be read: %1</source>
        <translation>Ein Graph, der sich nicht lesen lässt: %1</translation>
    </message>
    <message>
        <source>a line reaches one standard deviation to both sides of the average</source>
        <translation>eine Linie reicht eine Standardabweichung zu beiden Seiten des Mittels</translation>
    </message>
    <message>
        <source>a row is all processes of a program below the same parents, and the sum of their times, as recorded</source>
        <translation>eine Zeile sind alle Prozesse eines Programms unter denselben Eltern mit der Summe ihrer Zeiten, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>a step is how much longer or shorter a process decided when the command ended: the last of its parent&apos;s children to end, and so on</source>
        <translation>eine Stufe ist, wie viel länger oder kürzer ein Prozess bestimmte, wann der Befehl endete: das Kind seines Elternprozesses, das zuletzt endete, und so weiter</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>nachher %1</translation>
    </message>
    <message>
        <source>after: %1</source>
        <translation>nachher: %1</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>all of %1</source>
        <translation>die ganzen %1</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>Around %1</source>
        <translation>Um %1</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>Bars without data.</source>
        <translation>Balken ohne Daten.</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>vorher %1</translation>
    </message>
    <message>
        <source>before %1, %2; after %3, %4</source>
        <translation>vorher %1, %2; nachher %3, %4</translation>
    </message>
    <message>
        <source>before %1, after %2</source>
        <translation>vorher %1, nachher %2</translation>
    </message>
    <message>
        <source>before %1, after %2 in all</source>
        <translation>zusammen vorher %1, nachher %2</translation>
    </message>
    <message>
        <source>before %1, after %2, as they were recorded</source>
        <translation>vorher %1, nachher %2, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>before %1: %2</source>
        <translation>vorher %1: %2</translation>
    </message>
    <message>
        <source>before: %1</source>
        <translation>vorher: %1</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Call graph</source>
        <translation>Aufrufgraph</translation>
    </message>
    <message>
        <source>Call graph without data.</source>
        <translation>Aufrufgraph ohne Daten.</translation>
    </message>
    <message>
        <source>Call graph. Most in all: %1.</source>
        <translation>Aufrufgraph. Zusammen am meisten: %1.</translation>
    </message>
    <message>
        <source>Callers and callees</source>
        <translation>Aufrufer und Aufgerufene</translation>
    </message>
    <message>
        <source>Callers and callees of %1</source>
        <translation>Aufrufer und Aufgerufene von %1</translation>
    </message>
    <message>
        <source>Callers and callees of a function that is not there.</source>
        <translation>Aufrufer und Aufgerufene einer Funktion, die es nicht gibt.</translation>
    </message>
    <message>
        <source>Callers and callees without data.</source>
        <translation>Aufrufer und Aufgerufene ohne Daten.</translation>
    </message>
    <message>
        <source>Callers: %1. Callees: %2.</source>
        <translation>Aufrufer: %1. Aufgerufene: %2.</translation>
    </message>
    <message>
        <source>calls are missing, others look longer</source>
        <translation>Aufrufe fehlen, andere sehen länger aus</translation>
    </message>
    <message>
        <source>Calls over time of a function that is not there.</source>
        <translation>Aufrufe im Zeitverlauf einer Funktion, die es nicht gibt.</translation>
    </message>
    <message>
        <source>Calls over time, without data.</source>
        <translation>Aufrufe im Zeitverlauf, ohne Daten.</translation>
    </message>
    <message>
        <source>Calls over time: %1. Longest in all: %2.</source>
        <translation>Aufrufe im Zeitverlauf: %1. Zusammen am längsten: %2.</translation>
    </message>
    <message>
        <source>code that has changed to another stack</source>
        <translation>Code, der auf einen anderen Stack gewechselt hat</translation>
    </message>
    <message>
        <source>code without unwind tables</source>
        <translation>Code ohne Unwind-Tabellen</translation>
    </message>
    <message>
        <source>could not be run, %1</source>
        <translation>ließ sich nicht ausführen, %1</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Disassembly</source>
        <translation>Disassemblat</translation>
    </message>
    <message>
        <source>Disassembly without code.</source>
        <translation>Disassemblat ohne Code.</translation>
    </message>
    <message>
        <source>each panel to its own height</source>
        <translation>jedes Feld mit eigener Höhe</translation>
    </message>
    <message>
        <source>each row goes on where the one above ends</source>
        <translation>jede Zeile geht weiter, wo die darüber endet</translation>
    </message>
    <message>
        <source>ended by %1</source>
        <translation>durch %1 beendet</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>Fehler %1</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>Exit %1</translation>
    </message>
    <message>
        <source>failed: %1 → %2</source>
        <translation>gescheitert: %1 → %2</translation>
    </message>
    <message>
        <source>faster and slower</source>
        <translation>schneller und langsamer</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>Flammengraph</translation>
    </message>
    <message>
        <source>Flame graph of a frame that is not there.</source>
        <translation>Flammengraph eines Rahmens, den es nicht gibt.</translation>
    </message>
    <message>
        <source>Flame graph of what changed between two runs.</source>
        <translation>Flammengraph dessen, was sich zwischen zwei Läufen geändert hat.</translation>
    </message>
    <message>
        <source>Flame graph without data.</source>
        <translation>Flammengraph ohne Daten.</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 auf %2</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>weg</translation>
    </message>
    <message>
        <source>Graph of %1.</source>
        <translation>Graph: %1.</translation>
    </message>
    <message>
        <source>Graph without data.</source>
        <translation>Graph ohne Daten.</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Heat map without data.</source>
        <translation>Heatmap ohne Daten.</translation>
    </message>
    <message>
        <source>Heat map.</source>
        <translation>Heatmap.</translation>
    </message>
    <message>
        <source>height is the logarithm of the number</source>
        <translation>Höhe: Logarithmus der Anzahl</translation>
    </message>
    <message>
        <source>height is the logarithm of the share above</source>
        <translation>Höhe: Logarithmus des Anteils darüber</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histogram without data.</source>
        <translation>Histogramm ohne Daten.</translation>
    </message>
    <message>
        <source>Histogram.</source>
        <translation>Histogramm.</translation>
    </message>
    <message>
        <source>How %1 is distributed</source>
        <translation>Wie %1 verteilt ist</translation>
    </message>
    <message>
        <source>How %1 is distributed over time</source>
        <translation>Wie %1 im Zeitverlauf verteilt ist</translation>
    </message>
    <message>
        <source>How large is each %1 over time?</source>
        <translation>Wie groß ist jedes %1 im Zeitverlauf?</translation>
    </message>
    <message>
        <source>How large is each %1?</source>
        <translation>Wie groß ist jedes %1?</translation>
    </message>
    <message>
        <source>How large over time?</source>
        <translation>Wie groß im Zeitverlauf?</translation>
    </message>
    <message>
        <source>How large?</source>
        <translation>Wie groß?</translation>
    </message>
    <message>
        <source>How long does %1 take over time?</source>
        <translation>Wie lange dauert %1 im Zeitverlauf?</translation>
    </message>
    <message>
        <source>How long does %1 take?</source>
        <translation>Wie lange dauert %1?</translation>
    </message>
    <message>
        <source>How long does it take over time?</source>
        <translation>Wie lange dauert es im Zeitverlauf?</translation>
    </message>
    <message>
        <source>How long does it take?</source>
        <translation>Wie lange dauert es?</translation>
    </message>
    <message>
        <source>How the values are distributed</source>
        <translation>Wie die Werte verteilt sind</translation>
    </message>
    <message>
        <source>How the values are distributed over time</source>
        <translation>Wie die Werte im Zeitverlauf verteilt sind</translation>
    </message>
    <message>
        <source>Icicle graph</source>
        <translation>Eiszapfengraph</translation>
    </message>
    <message>
        <source>Icicle graph of a frame that is not there.</source>
        <translation>Eiszapfengraph eines Rahmens, den es nicht gibt.</translation>
    </message>
    <message>
        <source>Icicle graph of what changed between two runs.</source>
        <translation>Eiszapfengraph dessen, was sich zwischen zwei Läufen geändert hat.</translation>
    </message>
    <message>
        <source>Icicle graph without data.</source>
        <translation>Eiszapfengraph ohne Daten.</translation>
    </message>
    <message>
        <source>in all %1</source>
        <translation>zusammen %1</translation>
    </message>
    <message>
        <source>known at the ends of buckets</source>
        <translation>bekannt an den Grenzen der Fächer</translation>
    </message>
    <message>
        <source>Laid out by dscope itself: too many nodes for Graphviz</source>
        <translation>Von dscope selbst angeordnet: zu viele Knoten für Graphviz</translation>
    </message>
    <message>
        <source>laid out by ourselves: Graphviz would take too long</source>
        <translation>von dscope angeordnet: Graphviz bräuchte zu lange</translation>
    </message>
    <message>
        <source>line %1 of %2</source>
        <translation>Zeile %1 von %2</translation>
    </message>
    <message>
        <source>lines %1 to %2</source>
        <translation>Zeilen %1 bis %2</translation>
    </message>
    <message>
        <source>lines are as wide as both together</source>
        <translation>Linien so breit wie beide zusammen</translation>
    </message>
    <message>
        <source>Lines of source</source>
        <translation>Zeilen des Quelltexts</translation>
    </message>
    <message>
        <source>Lines over time with one moment only.</source>
        <translation>Linien im Zeitverlauf mit nur einem Zeitpunkt.</translation>
    </message>
    <message>
        <source>Lines over time without data.</source>
        <translation>Linien im Zeitverlauf ohne Daten.</translation>
    </message>
    <message>
        <source>Lines without data.</source>
        <translation>Zeilen ohne Daten.</translation>
    </message>
    <message>
        <source>logarithmic scale</source>
        <translation>logarithmische Skala</translation>
    </message>
    <message>
        <source>logarithmic scale, but linear where values are below 0</source>
        <translation>logarithmische Skala, aber linear, wo Werte unter 0 liegen</translation>
    </message>
    <message>
        <source>more frames than option ustackframes keeps</source>
        <translation>mehr Rahmen, als die Option ustackframes behält</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message>
        <source>more than 99 %</source>
        <translation>mehr als 99 %</translation>
    </message>
    <message>
        <source>Most by themselves: %1.</source>
        <translation>Am meisten selbst: %1.</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>no files are read here</source>
        <translation>hier werden keine Dateien gelesen</translation>
    </message>
    <message>
        <source>No frame changed by more than chance would have it.</source>
        <translation>Kein Rahmen hat sich mehr geändert, als der Zufall es täte.</translation>
    </message>
    <message>
        <source>no unwind table</source>
        <translation>keine Unwind-Tabelle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>not drawn: %1 of less than %2 each</source>
        <translation>nicht gezeichnet: %1 mit je weniger als %2</translation>
    </message>
    <message>
        <source>not drawn: %1 of less than %2 each, and %3</source>
        <translation>nicht gezeichnet: %1 mit je weniger als %2, und %3</translation>
    </message>
    <message>
        <source>numbers as they were recorded</source>
        <translation>Zahlen wie aufgezeichnet</translation>
    </message>
    <message>
        <source>numbers as they were recorded, the largest change first</source>
        <translation>Zahlen wie aufgezeichnet, die größte Änderung zuerst</translation>
    </message>
    <message>
        <source>only %1 of %2</source>
        <translation>nur %1 von %2</translation>
    </message>
    <message>
        <source>only stacks that have %1</source>
        <translation>nur Stacks mit %1</translation>
    </message>
    <message>
        <source>only stacks that have code of %1, other code folded</source>
        <translation>nur Stacks mit Code von %1, anderer Code gefaltet</translation>
    </message>
    <message>
        <source>only stacks that have code of one&apos;s own, other code folded</source>
        <translation>nur Stacks mit eigenem Code, anderer Code gefaltet</translation>
    </message>
    <message>
        <source>only the first %1 of %2</source>
        <translation>nur die ersten %1 von %2</translation>
    </message>
    <message>
        <source>only the heaviest chain, %1 of %2</source>
        <translation>nur die schwerste Kette, %1 von %2</translation>
    </message>
    <message>
        <source>only the last %1 of %2</source>
        <translation>nur die letzten %1 von %2</translation>
    </message>
    <message>
        <source>%1 of the file&apos;s lines were not understood</source>
        <translation>%1 der Zeilen der Datei wurden nicht verstanden</translation>
    </message>
    <message>
        <source>only the last interval, %1</source>
        <translation>nur das letzte Intervall, %1</translation>
    </message>
    <message>
        <source>only those that took longest have a row, %1 of %2</source>
        <translation>nur die längsten haben eine Zeile, %1 von %2</translation>
    </message>
    <message>
        <source>only what changed most, %1 of %2</source>
        <translation>nur, was sich am meisten geändert hat, %1 von %2</translation>
    </message>
    <message>
        <source>outlined: %1</source>
        <translation>umrandet: %1</translation>
    </message>
    <message>
        <source>outlined: %1, %2</source>
        <translation>umrandet: %1, %2</translation>
    </message>
    <message>
        <source>outlined: the critical path, %1 of %2</source>
        <translation>umrandet: der kritische Pfad, %1 von %2</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Im Zeitverlauf</translation>
    </message>
    <message>
        <source>peak of %1 after %2</source>
        <translation>Spitze von %1 nach %2</translation>
    </message>
    <message>
        <source>pid %1</source>
        <translation>PID %1</translation>
    </message>
    <message>
        <source>Process tree without data.</source>
        <translation>Prozessbaum ohne Daten.</translation>
    </message>
    <message>
        <source>Process tree: %1. The longest: %2.</source>
        <translation>Prozessbaum: %1. Am längsten: %2.</translation>
    </message>
    <message>
        <source>Process trees of two runs without data.</source>
        <translation>Prozessbäume zweier Läufe ohne Daten.</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Processes: %1</source>
        <translation>Prozesse: %1</translation>
    </message>
    <message>
        <source>recursion folded</source>
        <translation>Rekursion gefaltet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>seconds to the right, the offset within the second upwards, in steps of %1</source>
        <translation>Sekunden nach rechts, die Stelle in der Sekunde nach oben, in Schritten von %1</translation>
    </message>
    <message>
        <source>self %1</source>
        <translation>selbst %1</translation>
    </message>
    <message>
        <source>self %1, total %2</source>
        <translation>selbst %1, zusammen %2</translation>
    </message>
    <message>
        <source>share of %1 below</source>
        <translation>Anteil der %1 darunter</translation>
    </message>
    <message>
        <source>Shares of values</source>
        <translation>Anteile der Werte</translation>
    </message>
    <message>
        <source>Shares of values without data.</source>
        <translation>Anteile der Werte ohne Daten.</translation>
    </message>
    <message>
        <source>Shares of values.</source>
        <translation>Anteile der Werte.</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>smaller and larger</source>
        <translation>kleiner und größer</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Source without lines.</source>
        <translation>Quelltext ohne Zeilen.</translation>
    </message>
    <message>
        <source>Table of %1.</source>
        <translation>Tabelle: %1.</translation>
    </message>
    <message>
        <source>Table without data.</source>
        <translation>Tabelle ohne Daten.</translation>
    </message>
    <message>
        <source>the %1 weightiest relations between two columns; %2 not drawn</source>
        <translation>die %1 stärksten Beziehungen zwischen zwei Spalten; %2 nicht gezeichnet</translation>
    </message>
    <message>
        <source>the earlier run beside the later one</source>
        <translation>der frühere Lauf neben dem späteren</translation>
    </message>
    <message>
        <source>The graph that the program prints</source>
        <translation>Der Graph, den das Programm ausgibt</translation>
    </message>
    <message>
        <source>the instruction itself</source>
        <translation>die Instruktion selbst</translation>
    </message>
    <message>
        <source>The instructions of %1 with the share of each.</source>
        <translation>Die Instruktionen von %1, jede mit ihrem Anteil.</translation>
    </message>
    <message>
        <source>the largest change first</source>
        <translation>die größte Änderung zuerst</translation>
    </message>
    <message>
        <source>the line itself</source>
        <translation>die Zeile selbst</translation>
    </message>
    <message>
        <source>the same colour is as many in the same time, numbers as they were recorded</source>
        <translation>gleiche Farbe heißt gleich viele in gleicher Zeit, Zahlen wie aufgezeichnet</translation>
    </message>
    <message>
        <source>the source file is not here</source>
        <translation>die Quelldatei ist nicht hier</translation>
    </message>
    <message>
        <source>The source of %1 with the share of each line.</source>
        <translation>Der Quelltext von %1, jede Zeile mit ihrem Anteil.</translation>
    </message>
    <message>
        <source>the stack could not be read</source>
        <translation>der Stack ließ sich nicht lesen</translation>
    </message>
    <message>
        <source>the sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Timeline of processes without data.</source>
        <translation>Zeitleiste der Prozesse ohne Daten.</translation>
    </message>
    <message>
        <source>Timeline of processes: %1.</source>
        <translation>Zeitleiste der Prozesse: %1.</translation>
    </message>
    <message>
        <source>times counted from where each run began, numbers as they were recorded</source>
        <translation>Zeiten ab dem Beginn jedes Laufs, Zahlen wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Times of two runs without data.</source>
        <translation>Zeiten zweier Läufe ohne Daten.</translation>
    </message>
    <message>
        <source>up to %1 of a line&apos;s values are beyond the range</source>
        <translation>bis zu %1 der Werte einer Linie liegen außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>vorher %1</translation>
    </message>
    <message>
        <source>what calls it above, what it calls below</source>
        <translation>oben, was sie aufruft, unten, was von ihr aufgerufen wird</translation>
    </message>
    <message>
        <source>what calls it above; nothing that it calls was seen</source>
        <translation>oben, was sie aufruft; dass sie etwas aufruft, war nicht zu sehen</translation>
    </message>
    <message>
        <source>What calls what, when</source>
        <translation>Wer wann wen aufruft</translation>
    </message>
    <message>
        <source>What calls what, when: %1</source>
        <translation>Wer wann wen aufruft: %1</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
    <message>
        <source>What changed: %1</source>
        <translation>Was sich geändert hat: %1</translation>
    </message>
    <message>
        <source>What leads to %1</source>
        <translation>Was zu %1 führt</translation>
    </message>
    <message>
        <source>What ran when</source>
        <translation>Was wann lief</translation>
    </message>
    <message>
        <source>What ran when: %1</source>
        <translation>Was wann lief: %1</translation>
    </message>
    <message>
        <source>What was recorded</source>
        <translation>Was aufgezeichnet wurde</translation>
    </message>
    <message>
        <source>When in each second: %1</source>
        <translation>Wann in jeder Sekunde: %1</translation>
    </message>
    <message>
        <source>Who calls what up to %1</source>
        <translation>Wer wen aufruft bis zu %1</translation>
    </message>
    <message>
        <source>Who started whom</source>
        <translation>Wer wen gestartet hat</translation>
    </message>
    <message>
        <source>Who started whom: %1</source>
        <translation>Wer wen gestartet hat: %1</translation>
    </message>
    <message>
        <source>Who touches what</source>
        <translation>Wer was benutzt</translation>
    </message>
    <message>
        <source>Who touches what: %1</source>
        <translation>Wer was benutzt: %1</translation>
    </message>
    <message>
        <source>width is %1</source>
        <translation>Breite: %1</translation>
    </message>
    <message>
        <source>width is the mean of the two</source>
        <translation>Breite: Mittel aus beiden</translation>
    </message>
    <message>
        <source>width is the number of %1</source>
        <translation>Breite: Zahl der %1</translation>
    </message>
    <message>
        <source>with what it calls</source>
        <translation>mit dem, was sie aufruft</translation>
    </message>
    <message>
        <source>without stacks that have %1</source>
        <translation>ohne Stacks mit %1</translation>
    </message>
    <message>
        <source>… %1 more column</source>
        <translation>… %1 weitere Spalte</translation>
    </message>
    <message>
        <source>… %1 more columns</source>
        <translation>… %1 weitere Spalten</translation>
    </message>
    <message>
        <source>… %1 more instructions with less</source>
        <translation>… %1 weitere mit weniger</translation>
    </message>
    <message>
        <source>… %1 more lines</source>
        <translation>… %1 weitere</translation>
    </message>
    <message>
        <source>… %1 more lines with less</source>
        <translation>… %1 weitere mit weniger</translation>
    </message>
    <message>
        <source>… %1 more row that changed less</source>
        <translation>… %1 weitere Zeile, die sich weniger geändert hat</translation>
    </message>
    <message>
        <source>… %1 more rows</source>
        <translation>… %1 weitere</translation>
    </message>
    <message>
        <source>… %1 more rows that changed less</source>
        <translation>… %1 weitere Zeilen, die sich weniger geändert haben</translation>
    </message>
    <message>
        <source>… %1 more that changed less</source>
        <translation>… %1 weitere mit kleinerer Änderung</translation>
    </message>
    <message>
        <source>… %1 more …</source>
        <translation>… %1 weitere …</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>aggregation</source>
        <translation>Aggregation</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>pid</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>traced %1</source>
        <translation>aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>Callers: %1. Callees: none.</source>
        <translation>Aufrufer: %1. Aufgerufene: keine.</translation>
    </message>
    <message>
        <source>Callers: none. Callees: %2.</source>
        <translation>Aufrufer: keine. Aufgerufene: %2.</translation>
    </message>
    <message>
        <source>Callers: none. Callees: none.</source>
        <translation>Aufrufer: keine. Aufgerufene: keine.</translation>
    </message>
    <message>
        <source>%1 more key not drawn</source>
        <translation>%1 weiterer Schlüssel nicht gezeichnet</translation>
    </message>
    <message>
        <source>… %1 more instruction with less</source>
        <translation>… %1 weitere mit weniger</translation>
    </message>
    <message>
        <source>… %1 more line</source>
        <translation>… %1 weitere</translation>
    </message>
    <message>
        <source>… %1 more line with less</source>
        <translation>… %1 weitere mit weniger</translation>
    </message>
    <message>
        <source>… %1 more row</source>
        <translation>… %1 weitere</translation>
    </message>
    <message>
        <source>Process tree: %1.</source>
        <translation>Prozessbaum: %1.</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>run the program</source>
        <translation>das Programm ausführen</translation>
    </message>
    <message>
        <source>stop it: END fires and the aggregations come</source>
        <translation>anhalten: END feuert, und die Aggregationen kommen</translation>
    </message>
    <message>
        <source>what has changed since the run before</source>
        <translation>was sich seit dem letzten Lauf geändert hat</translation>
    </message>
    <message>
        <source>open a file, save the program</source>
        <translation>eine Datei öffnen, das Programm speichern</translation>
    </message>
    <message>
        <source>export the view</source>
        <translation>die Ansicht exportieren</translation>
    </message>
    <message>
        <source>search in all views; Enter and n go on, Shift goes back</source>
        <translation>in allen Ansichten suchen; Eingabe und n gehen weiter, Umschalt geht zurück</translation>
    </message>
    <message>
        <source>go to the next pane, or to the one before</source>
        <translation>zum nächsten oder vorigen Bereich</translation>
    </message>
    <message>
        <source>what a word of the program means; this list</source>
        <translation>was ein Wort des Programms bedeutet; diese Liste</translation>
    </message>
    <message>
        <source>leave the editor, where Tab alone indents</source>
        <translation>den Editor verlassen, in dem Tab allein einrückt</translation>
    </message>
    <message>
        <source>complete a word or a probe</source>
        <translation>ein Wort oder eine Probe ergänzen</translation>
    </message>
    <message>
        <source>full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>ask further about a mark, a frame or a row</source>
        <translation>zu einer Marke, einem Frame oder einer Zeile weiterfragen</translation>
    </message>
    <message>
        <source>show a frame alone, and go back</source>
        <translation>einen Frame allein zeigen, und zurück</translation>
    </message>
    <message>
        <source>in a timeline, series or heat map: show this stretch of time in all views</source>
        <translation>in Zeitleiste, Zeitreihe oder Heatmap: diesen Zeitabschnitt in allen Ansichten zeigen</translation>
    </message>
    <message>
        <source>walk from mark to mark; Enter is a click</source>
        <translation>von Marke zu Marke gehen; Eingabe ist ein Klick</translation>
    </message>
    <message>
        <source>zoom; the whole figure</source>
        <translation>vergrößern; die ganze Abbildung</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Tastatur und Maus</translation>
    </message>
    <message>
        <source>About dscope</source>
        <translation>Über dscope</translation>
    </message>
    <message>
        <source>Runs D programs on this machine and draws what they yield: process trees, distributions, flame graphs.</source>
        <translation>Führt D-Programme auf diesem Rechner aus und zeichnet, was sie liefern: Prozessbäume, Verteilungen, Flammengraphen.</translation>
    </message>
    <message>
        <source>all commands, found by typing</source>
        <translation>alle Befehle, durch Tippen gefunden</translation>
    </message>
    <message>
        <source>the pictures alone, as for showing them to others</source>
        <translation>die Bilder allein, um sie anderen zu zeigen</translation>
    </message>
    <message>
        <source>the start page, and back to the pictures</source>
        <translation>die Startseite, und zurück zu den Bildern</translation>
    </message>
    <message>
        <source>a new program in a tab of its own; close it</source>
        <translation>ein neues Programm in einem eigenen Reiter; es schließen</translation>
    </message>
    <message>
        <source>the next program; Shift goes back</source>
        <translation>das nächste Programm; mit Umschalt zurück</translation>
    </message>
    <message>
        <source>pause, and go on</source>
        <translation>innehalten und weitermachen</translation>
    </message>
    <message>
        <source>hide or show the questions, and the program with its results</source>
        <translation>Fragen oder Programm mit Ergebnissen aus- und einblenden</translation>
    </message>
    <message>
        <source>hide or show a second view, and details of what is chosen</source>
        <translation>zweite Ansicht oder Einzelheiten zum Gewählten aus- und einblenden</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>Rechtsklick</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Rad</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>what was shown before, and after</source>
        <translation>was davor und danach zu sehen war</translation>
    </message>
</context>
<context>
    <name>Machine</name>
    <message>
        <source>The command line dscope was not found beside this program nor in PATH: install it to trace.</source>
        <translation>Der Befehl dscope wurde weder neben diesem Programm noch in PATH gefunden. Zum Verfolgen muss er installiert sein.</translation>
    </message>
    <message>
        <source>dscope --doctor could not be run: %1</source>
        <translation>dscope --doctor ließ sich nicht ausführen: %1</translation>
    </message>
    <message>
        <source>Tracing is allowed: you are root</source>
        <translation>Tracen ist erlaubt: als root</translation>
    </message>
    <message>
        <source>Tracing is allowed to you</source>
        <translation>Tracen ist erlaubt</translation>
    </message>
    <message>
        <source>Tracing needs root: a run asks for it</source>
        <translation>Tracen braucht root: ein Lauf fragt danach</translation>
    </message>
    <message>
        <source>Help › What can be traced here… tries each provider as root.</source>
        <translation>Hilfe › Was sich hier verfolgen lässt … probiert jeden Provider als root.</translation>
    </message>
    <message>
        <source>The provider %1 does not work</source>
        <translation>Der Provider %1 geht nicht</translation>
    </message>
    <message>
        <source>Providers that work: %1</source>
        <translation>Provider, die gehen: %1</translation>
    </message>
    <message>
        <source>Providers that were not tried: %1</source>
        <translation>Provider, die nicht probiert wurden: %1</translation>
    </message>
    <message>
        <source>The kernel does not tell its types</source>
        <translation>Der Kernel nennt seine Typen nicht</translation>
    </message>
    <message>
        <source>User stacks are followed, without frame pointers too</source>
        <translation>Stacks von Programmen werden verfolgt, auch ohne Frame Pointer</translation>
    </message>
    <message>
        <source>User stacks can&apos;t be followed</source>
        <translation>Stacks von Programmen lassen sich nicht verfolgen</translation>
    </message>
    <message>
        <source>No debug files are installed</source>
        <translation>Es sind keine Debug-Dateien installiert</translation>
    </message>
    <message>
        <source>Names of stripped programs need them: install packages ending in -dbgsym, or set DEBUGINFOD_URLS.</source>
        <translation>Namen gestrippter Programme brauchen sie: Pakete mit der Endung -dbgsym installieren oder DEBUGINFOD_URLS setzen.</translation>
    </message>
</context>
<context>
    <name>OpenedFile</name>
    <message>
        <source>%1 is a folder: open a file in it.</source>
        <translation>%1 ist ein Ordner: eine Datei darin öffnen.</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2</source>
        <translation>%1 ließ sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>%1 is no text: dscope opens D programs, its recordings and figures, and the text of other tracing tools.</source>
        <translation>%1 ist kein Text: dscope öffnet D-Programme, seine Aufzeichnungen und Abbildungen und den Text anderer Werkzeuge.</translation>
    </message>
</context>
<context>
    <name>OwnRecipes</name>
    <message>
        <source>My own</source>
        <translation>Meine eigenen</translation>
    </message>
</context>
<context>
    <name>PaletteSample</name>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>erzeugt</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>inlined</source>
        <translation>eingefügt</translation>
    </message>
</context>
<context>
    <name>Recipes</name>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Which processes start?</source>
        <translation>Welche Prozesse starten?</translation>
    </message>
    <message>
        <source>Why is the build slow?</source>
        <translation>Warum ist der Build langsam?</translation>
    </message>
    <message>
        <source>Who is sent which signal?</source>
        <translation>Wer erhält welches Signal?</translation>
    </message>
    <message>
        <source>How do processes end?</source>
        <translation>Wie enden Prozesse?</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Who opens which file?</source>
        <translation>Wer öffnet welche Datei?</translation>
    </message>
    <message>
        <source>How large are the writes?</source>
        <translation>Wie groß sind die Schreibzugriffe?</translation>
    </message>
    <message>
        <source>How long does a write take?</source>
        <translation>Wie lange dauert ein Schreibzugriff?</translation>
    </message>
    <message>
        <source>Which files are read and written?</source>
        <translation>Welche Dateien werden benutzt?</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Who reads and writes the disk?</source>
        <translation>Wer nutzt die Platte?</translation>
    </message>
    <message>
        <source>Which files use the disk?</source>
        <translation>Welche Dateien nutzen die Platte?</translation>
    </message>
    <message>
        <source>How long does the disk take?</source>
        <translation>Wie lange braucht die Platte?</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Who sends how much to whom?</source>
        <translation>Wer sendet wem wie viel?</translation>
    </message>
    <message>
        <source>Who connects to whom?</source>
        <translation>Wer verbindet sich mit wem?</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Where is the time spent?</source>
        <translation>Wo bleibt die Zeit?</translation>
    </message>
    <message>
        <source>Where is the kernel&apos;s time spent?</source>
        <translation>Wo bleibt die Zeit des Kernels?</translation>
    </message>
    <message>
        <source>Where is the time, waits included?</source>
        <translation>Wo bleibt die Zeit, mit Warten?</translation>
    </message>
    <message>
        <source>Who wakes it?</source>
        <translation>Wer weckt es?</translation>
    </message>
    <message>
        <source>Who waits for a CPU?</source>
        <translation>Wer wartet auf eine CPU?</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Who touches new memory?</source>
        <translation>Wer berührt neuen Speicher?</translation>
    </message>
    <message>
        <source>Who asks the kernel for memory?</source>
        <translation>Wer fordert Speicher vom Kernel an?</translation>
    </message>
    <message>
        <source>System calls</source>
        <translation>Systemaufrufe</translation>
    </message>
    <message>
        <source>Which system calls, by whom?</source>
        <translation>Welche Systemaufrufe, von wem?</translation>
    </message>
    <message>
        <source>Which system calls take the time?</source>
        <translation>Welche Systemaufrufe dauern?</translation>
    </message>
    <message>
        <source>Which system calls fail, and why?</source>
        <translation>Welche Systemaufrufe scheitern?</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>microseconds</source>
        <translation>Mikrosekunden</translation>
    </message>
    <message>
        <source>Who opens files in a folder?</source>
        <translation>Wer öffnet Dateien eines Ordners?</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Where are locks waited for?</source>
        <translation>Wo wird auf Sperren gewartet?</translation>
    </message>
    <message>
        <source>Which system calls are slow?</source>
        <translation>Welche Aufrufe sind langsam?</translation>
    </message>
    <message>
        <source>Where are processes started?</source>
        <translation>Wo werden Prozesse gestartet?</translation>
    </message>
</context>
<context>
    <name>Rights</name>
    <message>
        <source>as root</source>
        <translation>als root</translation>
    </message>
    <message>
        <source>through pkexec</source>
        <translation>über pkexec</translation>
    </message>
    <message>
        <source>through sudo</source>
        <translation>über sudo</translation>
    </message>
</context>
<context>
    <name>RunName</name>
    <message>
        <source>pid %1</source>
        <translation>PID %1</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>%1, with %2</source>
        <translation>%1, mit %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
</context>
<context>
    <name>Snippets</name>
    <message>
        <source>a probe and what it does</source>
        <translation>eine Probe und was sie tut</translation>
    </message>
    <message>
        <source>a probe for one program alone</source>
        <translation>eine Probe für ein Programm allein</translation>
    </message>
    <message>
        <source>how often, by a key</source>
        <translation>wie oft, nach einem Schlüssel</translation>
    </message>
    <message>
        <source>how long it takes, by thread</source>
        <translation>wie lange es dauert, je Thread</translation>
    </message>
    <message>
        <source>print and clear every second</source>
        <translation>jede Sekunde ausgeben und leeren</translation>
    </message>
    <message>
        <source>how values are spread</source>
        <translation>wie Werte verteilt sind</translation>
    </message>
    <message>
        <source>which code leads here</source>
        <translation>welcher Code hierher führt</translation>
    </message>
</context>
<context>
    <name>dscope::gui::CollectDialog</name>
    <message>
        <source>Collect from hosts</source>
        <translation>Von Rechnern sammeln</translation>
    </message>
    <message>
        <source>Hosts that run dscope --publish send what they count to a broker. Here all of them are one run.</source>
        <translation>Rechner, auf denen dscope --publish läuft, senden einem Vermittler, was sie zählen. Hier sind sie alle ein Lauf.</translation>
    </message>
    <message>
        <source>Each host by itself</source>
        <translation>Jeden Rechner für sich</translation>
    </message>
    <message>
        <source>All hosts together</source>
        <translation>Alle Rechner zusammen</translation>
    </message>
    <message>
        <source>those that come</source>
        <translation>die kommen</translation>
    </message>
    <message>
        <source>What --broker of the command line takes: NAME=VALUE, with blanks between them</source>
        <translation>Was --broker der Befehlszeile nimmt: NAME=WERT, mit Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <source>E&amp;xpected hosts</source>
        <translation>&amp;Erwartete Rechner</translation>
    </message>
    <message>
        <source>&amp;Connection</source>
        <translation>&amp;Verbindung</translation>
    </message>
    <message>
        <source>Collect</source>
        <translation>Sammeln</translation>
    </message>
</context>
<context>
    <name>dscope::gui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Details</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>Nichts ist gewählt</translation>
    </message>
    <message>
        <source>Click on something that is drawn, or on a row of a table.</source>
        <translation>Auf etwas Gezeichnetes oder eine Zeile einer Tabelle klicken.</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Dock</name>
    <message>
        <source>Draw to move this part; double click takes it out of the window, or puts it back</source>
        <translation>Ziehen verschiebt diesen Teil; ein Doppelklick löst ihn aus dem Fenster oder setzt ihn wieder ein</translation>
    </message>
    <message>
        <source>Take out: %1</source>
        <translation>Herauslösen: %1</translation>
    </message>
    <message>
        <source>Take it out of the window, or put it back</source>
        <translation>Aus dem Fenster herauslösen oder wieder einsetzen</translation>
    </message>
    <message>
        <source>Close: %1</source>
        <translation>Schließen: %1</translation>
    </message>
    <message>
        <source>Close it; the menu Window brings it back</source>
        <translation>Schließen; das Menü Fenster holt es zurück</translation>
    </message>
</context>
<context>
    <name>dscope::gui::DoctorDialog</name>
    <message>
        <source>What can be traced here</source>
        <translation>Was sich hier verfolgen lässt</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Try as root</source>
        <translation>Als &amp;root versuchen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>pkexec is not here: run this in a terminal: sudo dscope --doctor</source>
        <translation>pkexec ist nicht vorhanden. In einem Terminal ausführen: sudo dscope --doctor</translation>
    </message>
    <message>
        <source>Trying each provider as root…</source>
        <translation>Jeder Provider wird als root versucht …</translation>
    </message>
    <message>
        <source>The command line dscope was not found beside this program nor in PATH: install it to trace.</source>
        <translation>Das Kommandozeilenprogramm dscope fand sich weder neben diesem Programm noch im PATH: zum Tracen installieren.</translation>
    </message>
    <message>
        <source>dscope --doctor could not be run: %1</source>
        <translation>dscope --doctor ließ sich nicht ausführen: %1</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Editor</name>
    <message>
        <source>D program</source>
        <translation>D-Programm</translation>
    </message>
    <message>
        <source>A D program, for example:

syscall::write:entry
{
	@bytes[execname] = quantize(arg2);
}</source>
        <translation>Ein D-Programm, zum Beispiel:

syscall::write:entry
{
	@bytes[execname] = quantize(arg2);
}</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Feed</name>
    <message>
        <source>These two runs have no picture in common: run the same program twice.</source>
        <translation>Diese zwei Läufe haben kein Bild gemeinsam: dasselbe Programm zweimal ausführen.</translation>
    </message>
    <message>
        <source>lines that were not understood: %1; the first is line %2: %3</source>
        <translation>nicht verstandene Zeilen: %1; die erste ist Zeile %2: %3</translation>
    </message>
    <message>
        <source>the run that this figure compares with is left out here; dscope --import shows both</source>
        <translation>der Lauf, mit dem diese Abbildung vergleicht, fehlt hier; dscope --import zeigt beide</translation>
    </message>
    <message>
        <source>the first of several runs, %1; dscope --again draws them all</source>
        <translation>der erste von mehreren Läufen, %1; dscope --again zeichnet alle</translation>
    </message>
</context>
<context>
    <name>dscope::gui::FigureView</name>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Drawing…</source>
        <translation>Wird gezeichnet …</translation>
    </message>
</context>
<context>
    <name>dscope::gui::FunctionTables</name>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Top down</source>
        <translation>Abwärts</translation>
    </message>
    <message>
        <source>Bottom up</source>
        <translation>Aufwärts</translation>
    </message>
    <message>
        <source>By key</source>
        <translation>Je Schlüssel</translation>
    </message>
    <message>
        <source>By line</source>
        <translation>Je Zeile</translation>
    </message>
    <message>
        <source>From the roots of the stacks down to what each function calls</source>
        <translation>Von den Wurzeln der Stacks hinab zu dem, was jede Funktion aufruft</translation>
    </message>
    <message>
        <source>From each function up to who calls it</source>
        <translation>Von jeder Funktion hinauf zu ihren Aufrufern</translation>
    </message>
    <message>
        <source>By the stacks&apos; other keys, as process and thread</source>
        <translation>Nach den übrigen Schlüsseln der Stacks, etwa Prozess und Thread</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter of the functions</source>
        <translation>Filter der Funktionen</translation>
    </message>
    <message>
        <source>A regular expression: only what is called so, and the ways to it</source>
        <translation>Ein regulärer Ausdruck: nur was so heißt, und die Wege dorthin</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Write this table to a file</source>
        <translation>Diese Tabelle in eine Datei schreiben</translation>
    </message>
    <message>
        <source>These stacks have no other key. With tid among its keys the program tells threads apart: each has a row here then, with what it took and where most of that was.</source>
        <translation>Diese Stacks haben keinen weiteren Schlüssel. Mit tid unter seinen Schlüsseln unterscheidet das Programm Threads: Dann hat hier jeder eine Zeile, mit dem, was er brauchte, und wo das meiste davon war.</translation>
    </message>
    <message>
        <source>Add tid to the program</source>
        <translation>tid ins Programm aufnehmen</translation>
    </message>
</context>
<context>
    <name>dscope::gui::HelpOnWords</name>
    <message>
        <source>provider %1</source>
        <translation>Provider %1</translation>
    </message>
    <message>
        <source> One of: %1.</source>
        <translation> Eines von: %1.</translation>
    </message>
    <message>
        <source> setopt() may change it.</source>
        <translation> setopt() kann es ändern.</translation>
    </message>
    <message>
        <source> Destructive: needs -w.</source>
        <translation> Destruktiv: verlangt -w.</translation>
    </message>
    <message>
        <source> Since D %1.</source>
        <translation> Seit D %1.</translation>
    </message>
    <message>
        <source> Not available: %1.</source>
        <translation> Nicht verfügbar: %1.</translation>
    </message>
    <message>
        <source> Example: %1</source>
        <translation> Beispiel: %1</translation>
    </message>
    <message>
        <source> gives %1</source>
        <translation> ergibt %1</translation>
    </message>
</context>
<context>
    <name>dscope::gui::MainWindow</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>1 probe matched</source>
        <translation>1 Probe gefunden</translation>
    </message>
    <message>
        <source>%1 probes matched</source>
        <translation>%1 Proben gefunden</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2</source>
        <translation>%1 ließ sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Waiting for the first records…</source>
        <translation>Warten auf die ersten Aufzeichnungen …</translation>
    </message>
    <message>
        <source>There is no program to run: write one, open one, or take a recipe at the left.</source>
        <translation>Es gibt kein Programm zum Ausführen: eines schreiben, öffnen oder links ein Rezept wählen.</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Tracing needs root, and it was not given. In a terminal this does the same; open run.dscope then:
%1</source>
        <translation>Zum Verfolgen braucht es root, und das wurde nicht erteilt. In einem Terminal tut dies dasselbe; danach run.dscope öffnen:
%1</translation>
    </message>
    <message>
        <source>The helper that traces ended unexpectedly: what is shown is what had arrived.</source>
        <translation>Das Hilfsprogramm, das verfolgt, endete unerwartet: gezeigt wird, was bis dahin ankam.</translation>
    </message>
    <message>
        <source>Tracing could not begin: the helper ended with status %1.</source>
        <translation>Das Verfolgen konnte nicht beginnen: das Hilfsprogramm endete mit Status %1.</translation>
    </message>
    <message>
        <source>Nothing was recorded.</source>
        <translation>Nichts wurde aufgezeichnet.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The recording is cut: the run went on after what is shown here.</source>
        <translation>Die Aufzeichnung ist abgeschnitten: der Lauf ging nach dem Gezeigten weiter.</translation>
    </message>
    <message>
        <source>dscope</source>
        <translation>dscope</translation>
    </message>
    <message>
        <source>%1 - dscope</source>
        <translation>%1 - dscope</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>tracing %1</source>
        <translation>verfolgt %1</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 records · %4 drops · %5</source>
        <translation>%1 · %2 · %3 Datensätze · %4 verloren · %5</translation>
    </message>
    <message>
        <source>%1 · %2 drops · %3</source>
        <translation>%1 · %2 verloren · %3</translation>
    </message>
    <message>
        <source>Export view</source>
        <translation>Ansicht exportieren</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Save program</source>
        <translation>Programm speichern</translation>
    </message>
    <message>
        <source>D programs (*.d)</source>
        <translation>D-Programme (*.d)</translation>
    </message>
    <message>
        <source>The program has changes that are not saved.</source>
        <translation>Das Programm hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>Run a program or open a recording: its pictures appear here.</source>
        <translation>Ein Programm ausführen oder eine Aufzeichnung öffnen: die Bilder erscheinen hier.</translation>
    </message>
    <message>
        <source>Nothing traced yet</source>
        <translation>Noch nichts verfolgt</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop tracing: END fires and the aggregations come (Shift+F5)</source>
        <translation>Das Verfolgen anhalten: END feuert, und die Aggregationen kommen (Umschalt+F5)</translation>
    </message>
    <message>
        <source>Record…</source>
        <translation>Aufzeichnen …</translation>
    </message>
    <message>
        <source>Run and record</source>
        <translation>Ausführen und aufzeichnen</translation>
    </message>
    <message>
        <source>Recordings (*.dscope)</source>
        <translation>Aufzeichnungen (*.dscope)</translation>
    </message>
    <message>
        <source>Run the program and keep everything in a recording</source>
        <translation>Das Programm ausführen und alles in einer Aufzeichnung behalten</translation>
    </message>
    <message>
        <source>Command to trace, or -p PID (optional)</source>
        <translation>Befehl, oder -p PID (freiwillig)</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Search in all views (Ctrl+F)</source>
        <translation>In allen Ansichten suchen (Strg+F)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>A regular expression. Enter: next match, Shift+Enter: the one before</source>
        <translation>Ein regulärer Ausdruck. Eingabe: nächster Treffer, Umschalt+Eingabe: voriger</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New program</source>
        <translation>&amp;Neues Programm</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Öffnen …</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>All that can be opened (*);;Programs (*.d);;Recordings (*.dscope);;Figures (*.svg *.html)</source>
        <translation>Alles, was sich öffnen lässt (*);;Programme (*.d);;Aufzeichnungen (*.dscope);;Abbildungen (*.svg *.html)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Save program</source>
        <translation>Programm &amp;speichern</translation>
    </message>
    <message>
        <source>Save program &amp;as…</source>
        <translation>Programm speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save &amp;run as…</source>
        <translation>&amp;Lauf speichern unter …</translation>
    </message>
    <message>
        <source>&amp;Export view…</source>
        <translation>Ansicht &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;Whole figure</source>
        <translation>&amp;Ganze Abbildung</translation>
    </message>
    <message>
        <source>&amp;Back: what was shown before</source>
        <translation>Z&amp;urück: was vorher gezeigt wurde</translation>
    </message>
    <message>
        <source>&amp;All of the run</source>
        <translation>Der ganze &amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Next pane</source>
        <translation>&amp;Nächster Bereich</translation>
    </message>
    <message>
        <source>Full &amp;screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>&amp;Wie das System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>For &amp;print</source>
        <translation>Für D&amp;ruck</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Aus&amp;führen</translation>
    </message>
    <message>
        <source>Trace a &amp;process…</source>
        <translation>Einen &amp;Prozess verfolgen …</translation>
    </message>
    <message>
        <source>Stop &amp;after</source>
        <translation>Anhalten &amp;nach</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Ohne Grenze</translation>
    </message>
    <message>
        <source>What has &amp;changed since the run before</source>
        <translation>Was sich seit dem letzten Lauf &amp;geändert hat</translation>
    </message>
    <message>
        <source>A run goes on: stop it first</source>
        <translation>Ein Lauf ist im Gang: erst anhalten</translation>
    </message>
    <message>
        <source>There is nothing to compare yet: run the program twice.</source>
        <translation>Noch gibt es nichts zu vergleichen: das Programm zweimal ausführen.</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keyboard and mouse</source>
        <translation>&amp;Tastatur und Maus</translation>
    </message>
    <message>
        <source>What can be &amp;traced here…</source>
        <translation>Was sich hier &amp;verfolgen lässt …</translation>
    </message>
    <message>
        <source>&amp;About dscope</source>
        <translation>Ü&amp;ber dscope</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>Run it with F5; undo brings back the program before</source>
        <translation>Mit F5 ausführen; Rückgängig bringt das vorige Programm zurück</translation>
    </message>
    <message>
        <source>%1 (needs a command above)</source>
        <translation>%1 (braucht oben einen Befehl)</translation>
    </message>
    <message>
        <source>Show it alone</source>
        <translation>Allein zeigen</translation>
    </message>
    <message>
        <source>Only stacks with it, in all views</source>
        <translation>Nur Stacks damit, in allen Ansichten</translation>
    </message>
    <message>
        <source>No stacks with it, in all views</source>
        <translation>Keine Stacks damit, in allen Ansichten</translation>
    </message>
    <message>
        <source>Find it in all views</source>
        <translation>In allen Ansichten suchen</translation>
    </message>
    <message>
        <source>Copy its name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Show who calls it, and what it calls</source>
        <translation>Zeigen, wer sie aufruft und was sie aufruft</translation>
    </message>
    <message>
        <source>Run again with %1=%2</source>
        <translation>Noch einmal mit %1=%2</translation>
    </message>
    <message>
        <source>The run of %1</source>
        <translation>Der Lauf von %1</translation>
    </message>
    <message>
        <source>The run goes on: stop it to look at a part of it</source>
        <translation>Der Lauf dauert an: für einen Ausschnitt anhalten</translation>
    </message>
    <message>
        <source>There is no run whose parts could be shown</source>
        <translation>Es gibt keinen Lauf, dessen Teile sich zeigen ließen</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Save the run</source>
        <translation>Den Lauf speichern</translation>
    </message>
    <message>
        <source>This program was not saved when the window ended unexpectedly</source>
        <translation>Dieses Programm war nicht gespeichert, als das Fenster unerwartet endete</translation>
    </message>
    <message>
        <source>Pictures al&amp;one</source>
        <translation>Bilder &amp;allein</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>B&amp;efehle …</translation>
    </message>
    <message>
        <source>Only %1 %2, in all views</source>
        <translation>Nur %1 %2, in allen Ansichten</translation>
    </message>
    <message>
        <source>Start pa&amp;ge</source>
        <translation>S&amp;tartseite</translation>
    </message>
    <message>
        <source>Two-minute to&amp;ur</source>
        <translation>T&amp;our in zwei Minuten</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>The program</source>
        <translation>Das Programm</translation>
    </message>
    <message>
        <source>Change it or write your own. Names are completed, errors are underlined while you type, and F1 explains the word at the cursor.</source>
        <translation>Hier lässt es sich ändern oder neu schreiben. Namen werden ergänzt, Fehler beim Tippen unterstrichen, und F1 erklärt das Wort am Cursor.</translation>
    </message>
    <message>
        <source>What is traced</source>
        <translation>Was verfolgt wird</translation>
    </message>
    <message>
        <source>A command here is started and traced; -p and a number is a process that runs already (Ctrl+P chooses one). Empty means the whole machine.</source>
        <translation>Ein Befehl hier wird gestartet und verfolgt; -p und eine Zahl ist ein Prozess, der schon läuft (Strg+P wählt einen). Leer heißt: der ganze Rechner.</translation>
    </message>
    <message>
        <source>F5 begins, Shift+F5 stops. Pictures grow while it runs; Run › Stop after sets a limit.</source>
        <translation>F5 beginnt, Umschalt+F5 hält an. Die Bilder wachsen beim Laufen; Ausführen › Anhalten nach setzt eine Grenze.</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Each view is a tab. Click into a flame graph to go deeper, Esc to return; draw with Shift held to choose a stretch of time for all views.</source>
        <translation>Jede Ansicht ist ein Reiter. Ein Klick in einen Flammengraphen führt tiefer, Esc zurück; Ziehen mit Umschalt wählt einen Zeitabschnitt für alle Ansichten.</translation>
    </message>
    <message>
        <source>The next question</source>
        <translation>Die nächste Frage</translation>
    </message>
    <message>
        <source>A right click on anything that is drawn, or the Menu key, offers programs that look closer at it, and parts of the run to show alone. Alt+Left goes back.</source>
        <translation>Ein Rechtsklick auf etwas Gezeichnetes, oder die Menütaste, bietet Programme an, die genauer hinsehen, und Teile des Laufs, die allein gezeigt werden. Alt+Links geht zurück.</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>The same as tables, what the program printed, and the functions of its stacks. Click a heading to sort.</source>
        <translation>Dasselbe als Tabellen, was das Programm ausgab, und die Funktionen seiner Stacks. Ein Klick auf eine Überschrift sortiert.</translation>
    </message>
    <message>
        <source>Finds a name in all views at once, with its share of everything. Ctrl+Shift+P finds any command.</source>
        <translation>Findet einen Namen in allen Ansichten zugleich, mit seinem Anteil am Ganzen. Strg+Umschalt+P findet jeden Befehl.</translation>
    </message>
    <message>
        <source>&amp;Close program</source>
        <translation>Programm s&amp;chließen</translation>
    </message>
    <message>
        <source>O&amp;pen the closed program again</source>
        <translation>&amp;Geschlossenes Programm wieder öffnen</translation>
    </message>
    <message>
        <source>No program was closed</source>
        <translation>Kein Programm wurde geschlossen</translation>
    </message>
    <message>
        <source>Ne&amp;xt program</source>
        <translation>Nä&amp;chstes Programm</translation>
    </message>
    <message>
        <source>Pre&amp;vious program</source>
        <translation>Voriges Progra&amp;mm</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved.</source>
        <translation>%1 hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>These programs were not saved when the window ended unexpectedly</source>
        <translation>Diese Programme waren nicht gespeichert, als das Fenster unerwartet endete</translation>
    </message>
    <message>
        <source>The last %1 s are kept.

They are shown when the run ends: stop it, or let the program call exit(0) where it has seen what you wait for.</source>
        <translation>Die letzten %1 s werden behalten.

Gezeigt werden sie, wenn der Lauf endet: halten Sie ihn an, oder lassen Sie das Programm exit(0) aufrufen, wo es gesehen hat, worauf Sie warten.</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>hält inne</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Let probes do nothing until this is pressed again (Ctrl+F5)</source>
        <translation>Proben tun nichts, bis dies wieder gedrückt wird (Strg+F5)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Run again on &amp;save</source>
        <translation>Beim &amp;Speichern neu ausführen</translation>
    </message>
    <message>
        <source>&amp;Keep only the last</source>
        <translation>Nur das &amp;Letzte behalten</translation>
    </message>
    <message>
        <source>Keep all</source>
        <translation>Alles behalten</translation>
    </message>
    <message>
        <source>For what happens seldom: the run goes on until it is stopped, or the program calls exit(0)</source>
        <translation>Für Seltenes: der Lauf geht weiter, bis er angehalten wird oder das Programm exit(0) aufruft</translation>
    </message>
    <message>
        <source>The next run keeps its last %1 s</source>
        <translation>Der nächste Lauf behält seine letzten %1 s</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>Wieder&amp;holen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>E&amp;infügen</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>Alles aus&amp;wählen</translation>
    </message>
    <message>
        <source>Pr&amp;eferences…</source>
        <translation>Einst&amp;ellungen …</translation>
    </message>
    <message>
        <source>Show it in: %1</source>
        <translation>Zeigen in: %1</translation>
    </message>
    <message>
        <source>Save program as rec&amp;ipe…</source>
        <translation>Programm als &amp;Rezept speichern …</translation>
    </message>
    <message>
        <source>%1 is open in another tab, with changes that are not saved: save or close it first, or choose another name.</source>
        <translation>%1 ist in einem anderen Reiter offen, mit Änderungen, die nicht gespeichert sind: Speichern oder schließen Sie es zuerst, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>There is no program to save</source>
        <translation>Es gibt kein Programm, das zu speichern wäre</translation>
    </message>
    <message>
        <source>Save as a recipe</source>
        <translation>Als Rezept speichern</translation>
    </message>
    <message>
        <source>The question that this program answers. A constant at its top (inline int size = 4096;) gets a field of its own. A
recipe of yours with the same question is replaced.</source>
        <translation>Die Frage, die dieses Programm beantwortet. Eine Konstante an seinem Anfang (inline int size = 4096;) bekommt ein
eigenes Feld. Ein eigenes Rezept mit derselben Frage wird ersetzt.</translation>
    </message>
    <message>
        <source>A recipe needs a question: that is what it is found by.</source>
        <translation>Ein Rezept braucht eine Frage: An ihr findet man es.</translation>
    </message>
    <message>
        <source>Saved as a recipe: %1</source>
        <translation>Als Rezept gespeichert: %1</translation>
    </message>
    <message>
        <source>The recipe is removed; its program is here, not saved</source>
        <translation>Das Rezept ist entfernt; sein Programm steht hier, nicht gespeichert</translation>
    </message>
    <message>
        <source>Questions and probes</source>
        <translation>Fragen und Proben</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Second view</source>
        <translation>Zweite Ansicht</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>&amp;Questions and probes</source>
        <translation>&amp;Fragen und Proben</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Läufe</translation>
    </message>
    <message>
        <source>&amp;Program</source>
        <translation>&amp;Programm</translation>
    </message>
    <message>
        <source>R&amp;esults</source>
        <translation>&amp;Ergebnisse</translation>
    </message>
    <message>
        <source>Second &amp;view</source>
        <translation>&amp;Zweite Ansicht</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>E&amp;inzelheiten</translation>
    </message>
    <message>
        <source>Pr&amp;ogram and results</source>
        <translation>P&amp;rogramm und Ergebnisse</translation>
    </message>
    <message>
        <source>Put &amp;all back where it was</source>
        <translation>&amp;Alles an seinen alten Platz</translation>
    </message>
    <message>
        <source>Previo&amp;us pane</source>
        <translation>V&amp;origer Bereich</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>Choose what you want to know: the D program that answers it is written for you. The tab beside it lists the probes of this machine; your runs are kept below.</source>
        <translation>Wählen, was man wissen will: das D-Programm dazu wird geschrieben. Der Reiter daneben nennt die Proben dieses Rechners; die Läufe stehen darunter.</translation>
    </message>
    <message>
        <source>collecting</source>
        <translation>sammelt</translation>
    </message>
    <message>
        <source>Collect from &amp;hosts…</source>
        <translation>Von Rechnern s&amp;ammeln…</translation>
    </message>
    <message>
        <source>There is no program to run</source>
        <translation>Es gibt kein Programm zum Ausführen</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>&amp;Functions</source>
        <translation>Fun&amp;ktionen</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Durch Kommas getrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Written: %1, its first rows: there are too many for one file</source>
        <translation>Geschrieben: %1, die ersten Zeilen: Für eine Datei sind es zu viele</translation>
    </message>
    <message>
        <source>The run of %1 has ended: %2</source>
        <translation>Der Lauf von %1 ist zu Ende: %2</translation>
    </message>
    <message>
        <source>Fo&amp;rward: what was shown after</source>
        <translation>V&amp;or: was danach zu sehen war</translation>
    </message>
    <message>
        <source>Run the program (F5); a run that goes on is stopped, and kept in Runs</source>
        <translation>Das Programm ausführen (F5); ein laufender Lauf wird angehalten und unter Läufe behalten</translation>
    </message>
    <message>
        <source>This graph took too long to be laid out: it is drawn in a simpler way</source>
        <translation>Dieser Graph brauchte zum Anordnen zu lange: Er ist einfacher gezeichnet</translation>
    </message>
    <message>
        <source>&amp;Format the program</source>
        <translation>Das Programm &amp;formatieren</translation>
    </message>
    <message>
        <source>The program has a mistake: format it once that is mended</source>
        <translation>Das Programm hat einen Fehler: Formatieren geht, wenn er behoben ist</translation>
    </message>
    <message>
        <source>This program has no clause that a container could be asked of</source>
        <translation>Dieses Programm hat keine Klausel, die nach einem Container fragen könnte</translation>
    </message>
    <message>
        <source>Run it with F5: it is for the container %1</source>
        <translation>Mit F5 ausführen: Es gilt für den Container %1</translation>
    </message>
    <message>
        <source>Nothing was shown before this</source>
        <translation>Davor war nichts zu sehen</translation>
    </message>
    <message>
        <source>Nothing was shown after this</source>
        <translation>Danach war nichts zu sehen</translation>
    </message>
    <message>
        <source>By thread</source>
        <translation>Nach Threads</translation>
    </message>
    <message>
        <source>Which thread? The same program, by thread</source>
        <translation>Welcher Thread? Dasselbe Programm, nach Threads</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>All of them</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>%1 · over time in steps of %2</source>
        <translation>%1 · im Zeitverlauf in Schritten von %2</translation>
    </message>
    <message>
        <source>Command: %1</source>
        <translation>Befehl: %1</translation>
    </message>
    <message>
        <source>Began: %1</source>
        <translation>Beginn: %1</translation>
    </message>
    <message>
        <source>Took: %1</source>
        <translation>Dauer: %1</translation>
    </message>
    <message>
        <source>On: %1</source>
        <translation>Rechner: %1</translation>
    </message>
    <message>
        <source>The reason that was given: %1</source>
        <translation>Die Begründung dafür: %1</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Message</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
</context>
<context>
    <name>dscope::gui::OutputView</name>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>What the program prints appears here.</source>
        <translation>Was das Programm ausgibt, erscheint hier.</translation>
    </message>
</context>
<context>
    <name>dscope::gui::PaletteSample</name>
    <message>
        <source>The colours as figures have them</source>
        <translation>Die Farben, wie Abbildungen sie haben</translation>
    </message>
</context>
<context>
    <name>dscope::gui::ParameterForm</name>
    <message>
        <source>Parameters of the program</source>
        <translation>Parameter des Programms</translation>
    </message>
    <message>
        <source>A whole number of the program; Enter runs it</source>
        <translation>Eine ganze Zahl des Programms; Enter startet es</translation>
    </message>
    <message>
        <source>A text of the program; Enter runs it</source>
        <translation>Ein Text des Programms; Enter startet es</translation>
    </message>
    <message>
        <source>What the program is given as %1; Enter runs it</source>
        <translation>Was das Programm als %1 bekommt; Enter führt es aus</translation>
    </message>
</context>
<context>
    <name>dscope::gui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>For print</source>
        <translation>Für Druck</translation>
    </message>
    <message>
        <source>As the theme has them</source>
        <translation>Wie im Farbschema</translation>
    </message>
    <message>
        <source>Farthest apart, also for the colour-blind</source>
        <translation>Am weitesten auseinander, auch für Farbenblinde</translation>
    </message>
    <message>
        <source>My own</source>
        <translation>Meine eigenen</translation>
    </message>
    <message>
        <source>#0B5FA5, #F2A900, #C8102E</source>
        <translation>#0B5FA5, #F2A900, #C8102E</translation>
    </message>
    <message>
        <source>My own colours</source>
        <translation>Meine eigenen Farben</translation>
    </message>
    <message>
        <source>Of your program, libraries, the kernel, generated code and the system, in this order; the first is that of bars</source>
        <translation>Von Ihrem Programm, Bibliotheken, Kernel, erzeugtem Code und System, in dieser Reihenfolge; die erste ist die der Balken</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>dscope&apos;s choice</source>
        <translation>Wahl von dscope</translation>
    </message>
    <message>
        <source>Every digit: 4,100 ns</source>
        <translation>Jede Ziffer: 4.100 ns</translation>
    </message>
    <message>
        <source>As people read them: 4.1 µs</source>
        <translation>Wie man sie liest: 4,1 µs</translation>
    </message>
    <message>
        <source>Debug files</source>
        <translation>Debugdateien</translation>
    </message>
    <message>
        <source>A folder a line, with .build-id in it or laid out as /usr/lib/debug</source>
        <translation>Ein Verzeichnis je Zeile, mit .build-id darin oder wie /usr/lib/debug</translation>
    </message>
    <message>
        <source>Fetch what is missing from the servers of DEBUGINFOD_URLS</source>
        <translation>Fehlendes von den Servern aus DEBUGINFOD_URLS holen</translation>
    </message>
    <message>
        <source>Source files</source>
        <translation>Quelldateien</translation>
    </message>
    <message>
        <source>A line each: /build/package = /home/me/package</source>
        <translation>Je eine Zeile: /build/paket = /home/ich/paket</translation>
    </message>
    <message>
        <source>&amp;Add a folder…</source>
        <translation>&amp;Verzeichnis hinzufügen …</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farb&amp;schema</translation>
    </message>
    <message>
        <source>&amp;Colours of figures</source>
        <translation>&amp;Farben der Abbildungen</translation>
    </message>
    <message>
        <source>Text &amp;size</source>
        <translation>Schrift&amp;größe</translation>
    </message>
    <message>
        <source>&amp;Font of programs</source>
        <translation>Schrift der &amp;Programme</translation>
    </message>
    <message>
        <source>&amp;Numbers in tables</source>
        <translation>&amp;Zahlen in Tabellen</translation>
    </message>
    <message>
        <source>Names and sources</source>
        <translation>Namen und Quellen</translation>
    </message>
    <message>
        <source>&amp;Debug files</source>
        <translation>&amp;Debugdateien</translation>
    </message>
    <message>
        <source>S&amp;ource files</source>
        <translation>&amp;Quelldateien</translation>
    </message>
    <message>
        <source>Debug files and servers are asked in the next run; all else holds at once.</source>
        <translation>Debugdateien und Server gelten vom nächsten Lauf an, alles andere sofort.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Das Verzeichnis %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>%1: write where that folder is here, behind &quot;=&quot;.</source>
        <translation>%1: hinter „=“ muss stehen, wo das Verzeichnis hier liegt.</translation>
    </message>
    <message>
        <source>Only where dscope-gui runs as root: pkexec and sudo take DEBUGINFOD_URLS from what traces. The servers are asked in a terminal by sudo --preserve-env=DEBUGINFOD_URLS dscope -x debuginfod.</source>
        <translation>Nur wo dscope-gui als root läuft: pkexec und sudo nehmen dem, was verfolgt, DEBUGINFOD_URLS. In einem Terminal fragt sudo --preserve-env=DEBUGINFOD_URLS dscope -x debuginfod die Server.</translation>
    </message>
    <message>
        <source>%1 is left out: option debugpath has &apos;:&apos; between its folders. A symbolic link without one helps.</source>
        <translation>%1 wird ausgelassen: Option debugpath hat &apos;:&apos; zwischen ihren Ordnern. Ein symbolischer Link ohne hilft.</translation>
    </message>
</context>
<context>
    <name>dscope::gui::ProcessPicker</name>
    <message>
        <source>Trace a process</source>
        <translation>Einen Prozess verfolgen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>pid</source>
        <translation>pid</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>All of its container</source>
        <translation>Alles in seinem Container</translation>
    </message>
    <message>
        <source>Name, command, container or pid</source>
        <translation>Name, Befehl, Container oder PID</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>The program gets a predicate for the container&apos;s control group</source>
        <translation>Das Programm bekommt ein Prädikat für die Kontrollgruppe des Containers</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Programs</name>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>A new program (Ctrl+T)</source>
        <translation>Ein neues Programm (Strg+T)</translation>
    </message>
    <message>
        <source>New program</source>
        <translation>Neues Programm</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Program %1</source>
        <translation>Programm %1</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close all &amp;others</source>
        <translation>Alle &amp;anderen schließen</translation>
    </message>
    <message>
        <source>Copy &amp;path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Proposal</name>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Run the program (F5)</source>
        <translation>Das Programm ausführen (F5)</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Bring back the program before (undo)</source>
        <translation>Das Programm davor zurückholen (rückgängig)</translation>
    </message>
    <message>
        <source>What changes</source>
        <translation>Was sich ändert</translation>
    </message>
    <message>
        <source>What changes: 1 line</source>
        <translation>Was sich ändert: 1 Zeile</translation>
    </message>
    <message>
        <source>What changes: %1 lines</source>
        <translation>Was sich ändert: %1 Zeilen</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Results</name>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>The last %1 of %2 lines; a recording has all</source>
        <translation>Die letzten %1 von %2 Zeilen; eine Aufzeichnung hat alle</translation>
    </message>
</context>
<context>
    <name>dscope::gui::RunHistory</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>Command: %1</source>
        <translation>Befehl: %1</translation>
    </message>
    <message>
        <source>Show it again</source>
        <translation>Noch einmal zeigen</translation>
    </message>
    <message>
        <source>What has changed from it to the newest</source>
        <translation>Was sich von ihm zum neuesten geändert hat</translation>
    </message>
    <message>
        <source>What has changed to it from the one before</source>
        <translation>Was sich vom vorigen zu ihm geändert hat</translation>
    </message>
    <message>
        <source>Save as a recording…</source>
        <translation>Als Aufzeichnung speichern …</translation>
    </message>
    <message>
        <source>Runs are kept here: a click shows one again, its menu compares and saves.</source>
        <translation>Hier bleiben die Läufe: ein Klick zeigt einen wieder, sein Menü vergleicht und sichert.</translation>
    </message>
    <message>
        <source>This run goes on, and is on show</source>
        <translation>Dieser Lauf geht weiter und ist zu sehen</translation>
    </message>
    <message>
        <source>This run goes on: a click shows it, Del stops it</source>
        <translation>Dieser Lauf geht weiter: Ein Klick zeigt ihn, Entf beendet ihn</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Name it…</source>
        <translation>Benennen…</translation>
    </message>
</context>
<context>
    <name>dscope::gui::SelectionBar</name>
    <message>
        <source>Shown:</source>
        <translation>Gezeigt:</translation>
    </message>
    <message>
        <source>Click to take this away</source>
        <translation>Klicken, um dies wegzunehmen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>mit %1</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>ohne %1</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>E&amp;vent:</source>
        <translation>Er&amp;eignis:</translation>
    </message>
    <message>
        <source>Which of the recorded events flame graphs and other views of stacks show</source>
        <translation>Welches der aufgezeichneten Ereignisse Flammendiagramme und andere Ansichten von Stapeln zeigen</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Sidebar</name>
    <message>
        <source>Recipes</source>
        <translation>Rezepte</translation>
    </message>
    <message>
        <source>Probes</source>
        <translation>Proben</translation>
    </message>
    <message>
        <source>What to run</source>
        <translation>Was ausgeführt wird</translation>
    </message>
    <message>
        <source>Filter probes</source>
        <translation>Proben filtern</translation>
    </message>
    <message>
        <source>Listing probes…</source>
        <translation>Proben werden aufgelistet …</translation>
    </message>
    <message>
        <source>Remove this recipe</source>
        <translation>Dieses Rezept entfernen</translation>
    </message>
</context>
<context>
    <name>dscope::gui::StartPage</name>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Two-minute tour</source>
        <translation>Tour in zwei Minuten</translation>
    </message>
    <message>
        <source>Record now</source>
        <translation>Jetzt aufzeichnen</translation>
    </message>
    <message>
        <source>A command, or nothing for the whole machine</source>
        <translation>Ein Befehl, oder nichts für den ganzen Rechner</translation>
    </message>
    <message>
        <source>Command to record</source>
        <translation>Befehl, der aufgezeichnet wird</translation>
    </message>
    <message>
        <source>A process…</source>
        <translation>Ein Prozess …</translation>
    </message>
    <message>
        <source>Choose a process that runs</source>
        <translation>Einen laufenden Prozess wählen</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Runs it at once; File › Save run as… keeps it</source>
        <translation>Läuft sofort; Datei › Lauf speichern unter … behält ihn</translation>
    </message>
    <message>
        <source>Writes the program that answers it; F5 runs it</source>
        <translation>Schreibt das Programm dazu; F5 führt es aus</translation>
    </message>
    <message>
        <source>Go on with</source>
        <translation>Weiter mit</translation>
    </message>
    <message>
        <source>What this machine can trace</source>
        <translation>Was dieser Rechner verfolgen kann</translation>
    </message>
    <message>
        <source>Nothing yet: what you open or save will be found here.</source>
        <translation>Noch nichts: was man öffnet oder speichert, findet sich hier wieder.</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Eine Datei öffnen …</translation>
    </message>
    <message>
        <source>Programs, recordings, figures and other tools&apos; text; they can be dropped here, too</source>
        <translation>Programme, Aufzeichnungen, Abbildungen und Text anderer Werkzeuge; sie lassen sich auch hierher ziehen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>All of it…</source>
        <translation>Alles davon …</translation>
    </message>
    <message>
        <source>Tour again</source>
        <translation>Noch einmal die Tour</translation>
    </message>
    <message>
        <source>What this window had when it was closed</source>
        <translation>Was dieses Fenster hatte, als es geschlossen wurde</translation>
    </message>
    <message>
        <source>Collect from hosts…</source>
        <translation>Von Rechnern sammeln…</translation>
    </message>
    <message>
        <source>What many hosts send to a broker, as one run</source>
        <translation>Was viele Rechner einem Vermittler senden, als ein Lauf</translation>
    </message>
</context>
<context>
    <name>dscope::gui::TablePage</name>
    <message>
        <source>The first %1 of %2 rows; an export has all</source>
        <translation>Die ersten %1 von %2 Zeilen; ein Export hat alle</translation>
    </message>
    <message>
        <source>The newest %1 of %2 rows so far</source>
        <translation>Die neuesten %1 von bisher %2 Zeilen</translation>
    </message>
</context>
<context>
    <name>dscope::gui::Tour</name>
    <message>
        <source>Tour</source>
        <translation>Tour</translation>
    </message>
    <message>
        <source>End the tour (Esc)</source>
        <translation>Tour beenden (Esc)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>dscope::gui::TraceProcess</name>
    <message>
        <source>The command line dscope was not found beside this program nor in PATH: install it to trace.</source>
        <translation>Der Befehl dscope wurde weder neben diesem Programm noch in PATH gefunden. Zum Verfolgen muss er installiert sein.</translation>
    </message>
    <message>
        <source>The program could not be handed to dscope: %1</source>
        <translation>Das Programm ließ sich nicht an dscope übergeben: %1</translation>
    </message>
    <message>
        <source>Tracing needs root, and there is nothing here that could ask you for a password in a window (pkexec with a message bus, or sudo with SUDO_ASKPASS). Run this in a terminal, and open run.dscope:
%1</source>
        <translation>Zum Verfolgen braucht es root, und nichts hier kann in einem Fenster nach dem Passwort fragen (pkexec mit Nachrichtenbus oder sudo mit SUDO_ASKPASS). Dies in einem Terminal ausführen und run.dscope öffnen:
%1</translation>
    </message>
    <message>
        <source>No pipe could be made.</source>
        <translation>Es ließ sich keine Pipe anlegen.</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>%1 ließ sich nicht starten: %2</translation>
    </message>
</context>
<context>
    <name>dscope::gui::ViewArea</name>
    <message>
        <source>This program draws no picture: what it records is in the table, what it prints in the output.

Aggregate, as with @[execname] = count() or quantize(), and it does.</source>
        <translation>Dieses Programm zeichnet kein Bild: was es aufzeichnet, steht in der Tabelle, was es ausgibt, in der Ausgabe.

Mit einer Aggregation wie @[execname] = count() oder quantize() tut es das.</translation>
    </message>
</context>
<context>
    <name>dscope::gui::ViewPanel</name>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Write this view to a file</source>
        <translation>Diese Ansicht in eine Datei schreiben</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>Call graph</source>
        <translation>Aufrufgraph</translation>
    </message>
    <message>
        <source>Flame chart</source>
        <translation>Flammenverlauf</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>Flammengraph</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Icicle</source>
        <translation>Eiszapfen</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Process tree</source>
        <translation>Prozessbaum</translation>
    </message>
    <message>
        <source>Sandwich</source>
        <translation>Sandwich</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Zeitreihe</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Disassembly</source>
        <translation>Disassemblat</translation>
    </message>
    <message>
        <source>Not in this view, which shows the run without it: %1</source>
        <translation>Nicht in dieser Ansicht, die den Lauf ohne diese Auswahl zeigt: %1</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Runs D programs and shows their process trees, histograms and flame graphs.</source>
        <translation>Führt D-Programme aus und zeigt ihre Prozessbäume, Histogramme und Flammengraphen.</translation>
    </message>
    <message>
        <source>programs (.d), recordings (.dscope), figures (.svg, .html) and other tools&apos; trace text to open</source>
        <translation>Programme (.d), Aufzeichnungen (.dscope), Abbildungen (.svg, .html) und Text anderer Werkzeuge zum Öffnen</translation>
    </message>
</context>
</TS>

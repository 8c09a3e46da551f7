# What Scid answers to questions about material and patterns, without its windows.
#
#     tkscid scid.tcl import BASE PGN
#     tkscid scid.tcl material BASE RUNS OPTION...
#
# The first makes a base and prints how many games it has. The second opens one, searches once to warm up and RUNS
# times to be timed, and prints a line for each of these: how many games are found, and the microseconds that the
# search took within this process.

# Scid shows here how far it is.
proc ::progressCallBack {args} {}

proc import {base pgn} {
    set id [sc_base create SCID4 $base]
    sc_base import $id $pgn
    puts [sc_base numGames $id]
    sc_base close $id
}

# What is not given may be there in any number; Scid takes it for none.
array set any {
    wq {0 9} bq {0 9} wr {0 10} br {0 10} wb {0 10} bb {0 10} wn {0 10} bn {0 10} wm {0 20} bm {0 20} wp {0 8} bp {0 8}
}

proc material {base runs options} {
    sc_base switch [sc_base open $base]
    set counts {}
    foreach {piece range} [array get ::any] {
        lappend counts -$piece $range
    }
    for {set run 0} {$run <= $runs} {incr run} {
        set start [clock microseconds]
        sc_search material {*}$counts {*}$options -filter RESET
        set taken [expr {[clock microseconds] - $start}]
        if {$run > 0} {
            puts "[sc_filter count] $taken"
        }
    }
}

switch [lindex $argv 0] {
    import { import {*}[lrange $argv 1 2] }
    material { material {*}[lrange $argv 1 2] [lrange $argv 3 end] }
}
exit

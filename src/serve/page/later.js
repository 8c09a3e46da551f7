// The views that are loaded when they are shown: a script of its own.

import { NoveltiesView } from "./novelties.js";
import { OpeningReportView } from "./opening-report.js";
import { PrepareView } from "./prepare.js";
import { RepertoireView } from "./repertoire.js";
import { TournamentView } from "./tournament.js";
import { TournamentsView } from "./tournaments.js";

export { NoveltiesView, OpeningReportView, PrepareView, RepertoireView, TournamentView, TournamentsView };

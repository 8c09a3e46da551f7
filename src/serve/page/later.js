// The views that are loaded when they are shown: a script of its own.

import { Annotations } from "./annotations.js";
import { FileView } from "./file-view.js";
import { MineView } from "./mine.js";
import { NoveltiesView } from "./novelties.js";
import { openText } from "./opened.js";
import { OpeningReportView } from "./opening-report.js";
import { PrepareView } from "./prepare.js";
import { RepertoireView } from "./repertoire.js";
import { TournamentView } from "./tournament.js";
import { TournamentsView } from "./tournaments.js";

export { Annotations, FileView, MineView, NoveltiesView, OpeningReportView, openText };
export { PrepareView, RepertoireView, TournamentView, TournamentsView };

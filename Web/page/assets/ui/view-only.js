// A page that came with the viewers' token: what changes something is marked with `data-changes`
// and not there for it (ui.css), and a line says why in its place.

import { t } from "../text/texts.js";
import { h } from "./dom.js";

/** Why a viewer changes nothing. */
export const VIEW_ONLY = t(
  "You may look here, not change anything: that needs another access token.");

/** Why nothing was changed while the server is away. */
export const AWAY = t("Not saved: there is no connection to Livetape.");

/** Two words in the place of a control, the reason behind them. */
export const viewBadge = () => h("span.badge.view-note", { title: VIEW_ONLY }, t("View only"));

/** The line that a viewer reads where others have controls; nobody else sees it. */
export const viewNote = () => h("p.view-note", {}, VIEW_ONLY);

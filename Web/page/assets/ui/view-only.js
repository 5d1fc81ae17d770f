// View-only pages, opened with the viewers' token: ui.css hides the controls marked `data-changes`,
// and a line gives the reason.

import { t } from "../text/texts.js";
import { h } from "./dom.js";

/** Why a viewer can't change anything. */
export const VIEW_ONLY = t(
  "You may look here, not change anything: that needs another access token.");

/** Why nothing was saved while the server is unreachable. */
export const AWAY = t("Not saved: there is no connection to Livetape.");

/** A short badge in place of a control; its title gives the reason. */
export const viewBadge = () => h("span.badge.view-note", { title: VIEW_ONLY }, t("View only"));

/** The line shown to viewers in place of controls; ui.css hides it on other pages. */
export const viewNote = () => h("p.view-note", {}, VIEW_ONLY);

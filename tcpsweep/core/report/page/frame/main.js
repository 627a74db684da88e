// SPDX-License-Identifier: MIT
// The script of a page with sections and no figures of its own: comparisons and dossiers.
import { startFrame } from "./frame.js";

startFrame();

import { renderChanges, renderObservations } from './changes.js';
import { renderHeader, renderHistory, renderOverview } from './engines.js';
import { renderMatrix } from './matrix.js';
import { renderSplits, renderStandings } from './splits.js';

renderHeader();
renderStandings(document.getElementById('standings'));
renderSplits(document.getElementById('splits'));
renderOverview(document.getElementById('overview'));
renderHistory(document.getElementById('history'));
renderChanges(document.getElementById('changes'));
renderObservations(document.getElementById('observations'));
renderMatrix(document.getElementById('matrix'));

import { renderChanges, renderObservations } from './changes.js';
import { renderHeader, renderHistory, renderOverview } from './engines.js';
import { renderMatrix } from './matrix.js';

renderHeader();
renderOverview(document.getElementById('overview'));
renderHistory(document.getElementById('history'));
renderChanges(document.getElementById('changes'));
renderObservations(document.getElementById('observations'));
renderMatrix(document.getElementById('matrix'));

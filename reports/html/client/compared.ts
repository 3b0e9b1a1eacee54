import { renderChanges, renderObservations } from './changes.ts';
import { byId } from './dom.ts';
import { renderHeader, renderHistory, renderOverview } from './engines.ts';
import { renderMatrix } from './matrix.ts';
import { renderSplits, renderStandings } from './splits.ts';

renderHeader();
renderStandings(byId('standings'));
renderSplits(byId('splits'));
renderOverview(byId('overview'));
renderHistory(byId('history'));
renderChanges(byId('changes'));
renderObservations(byId('observations'));
renderMatrix(byId('matrix'));

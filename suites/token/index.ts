import './answer.ts';
import './grants.ts';
import './observed.ts';
import './scope.ts';

import './base-image.ts';
import './answer.ts';
import './context.ts';
import './in-between.ts';
import './limits.ts';
import './parameters.ts';
import './remote.ts';

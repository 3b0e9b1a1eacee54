import './create-body.ts';
import './create.ts';
import './detach-keys.ts';
import './inspect.ts';
import './observed.ts';
import './resize.ts';
import './start.ts';

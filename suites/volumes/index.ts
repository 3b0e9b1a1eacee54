import './create.ts';
import './inspect.ts';
import './list.ts';
import './options.ts';
import './remove.ts';

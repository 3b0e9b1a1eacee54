import './digests.ts';
import './pull.ts';
import './push.ts';
import './search.ts';
import './token-client.ts';

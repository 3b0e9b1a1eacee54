import './auth.ts';
import './info.ts';
import './ping.ts';
import './version.ts';

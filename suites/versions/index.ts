import './same.ts';

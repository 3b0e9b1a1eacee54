import { allEndpoints } from './catalogue.ts';
import { Routes } from './routes.ts';

/** Finds the endpoint of the contract that a request is for, be it of an engine or of a token server. */
export const routes = new Routes(allEndpoints);

/** The same for requests that only an engine gets. */
export const engineRoutes = new Routes(allEndpoints.filter(({ server }) => server === undefined));

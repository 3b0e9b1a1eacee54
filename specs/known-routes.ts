import { allEndpoints } from './catalogue.ts';
import { Routes } from './routes.ts';

/** Finds the endpoint of a request, of an engine or of a token server. */
export const routes = new Routes(allEndpoints);

/** The same for requests to an engine only. */
export const engineRoutes = new Routes(allEndpoints.filter(({ server }) => server === undefined));

import { begins, doc, type LaterSection } from './row.ts';

/** Carried forward without change (Document 4, section 10): where it says more than the contract of 1.23 does. */
export const carriedForwardRows: LaterSection = {
  heading: 'Carried forward without change',
  rows: [doc('carried.images.remove', begins('images.remove.used-answers-409'))],
};

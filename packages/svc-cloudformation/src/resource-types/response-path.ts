/** Path below which answers of custom resources and signals of wait conditions are put. */
export const RESPONSE_PATH = '/_cloudformation/responses/';

/** Path prefix for responses of custom resources and signals of wait conditions. */
export const RESPONSE_PATH = '/_cloudformation/responses/';

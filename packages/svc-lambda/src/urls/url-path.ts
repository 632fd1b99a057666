/** Path of function URLs for clients that cannot resolve their host names, before the URL's id. */
export const URL_PATH = '/_aws/lambda-url/';

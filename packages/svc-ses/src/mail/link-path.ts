/** Path of the links in mails, which no service uses. */
export const LINKS = '/_ses/';

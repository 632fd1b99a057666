export { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
export { DOMParser } from '@xmldom/xmldom';

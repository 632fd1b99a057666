export { DOMParser } from '@xmldom/xmldom';
export { SignedXml } from 'xml-crypto';

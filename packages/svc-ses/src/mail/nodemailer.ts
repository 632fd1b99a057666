// Used exports of a CommonJS package that is loaded lazily, for which bundlers provide no named exports.
export { createTransport } from 'nodemailer';

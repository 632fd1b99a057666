import type { HeaderValues } from '@emu/wire';

/** Marks an input of PutObject from a browser form. */
export const BROWSER_POST: unique symbol = Symbol('browser POST');

/** Whether a body is a browser form. */
export const isForm = (type: string | string[] | undefined): boolean =>
  String(type ?? '')
    .slice(0, 19)
    .toLowerCase() === 'multipart/form-data';

/** Whether a POST may be a form upload: with the form content type, or with another type to a bucket in the path. */
export const mayBeForm = (path: string, headers: Readonly<HeaderValues>): boolean =>
  headers['content-type'] !== undefined && (isForm(headers['content-type']) || isUnsuitableForm(path, headers));

const isUnsuitableForm = (path: string, headers: Readonly<HeaderValues>): boolean =>
  headers.authorization === undefined && headers['x-amz-target'] === undefined && /^\/[^/]{3,}\/?$/.test(path);

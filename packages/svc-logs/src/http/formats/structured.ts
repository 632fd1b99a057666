import { isObject, parseJson } from '@emu/wire';
import { jsonTexts } from '../../json-text.ts';
import { type Endpoint, insideOf, readJson, timestampOf } from './format.ts';

/**
 * A JSON object or a list of objects; other values and anything after the first value are ignored.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_HTTP_Endpoints_StructuredJSON.html
 */
export const structured: Endpoint = {
  contentTypes: ['application/json'],
  byQuery: true,
  read({ body, now }) {
    const [text = ''] = jsonTexts(body.toString());
    const texts = Array.isArray(readJson(text)) ? [...jsonTexts(insideOf(text))] : [text];
    return texts.flatMap((message) => {
      const value: unknown = parseJson(message);
      return isObject(value) ? [{ timestamp: timestampOf(value, now), message }] : [];
    });
  },
};

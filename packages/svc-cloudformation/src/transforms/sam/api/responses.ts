import { isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import { defined, isIntrinsic, type Obj } from '../values.ts';
import { pythonType } from '../words.ts';

const MEMBERS = ['ResponseParameters', 'ResponseTemplates', 'StatusCode'];
const PARAMETERS: Readonly<Record<string, string>> = { Headers: 'header', Paths: 'path', QueryStrings: 'querystring' };

/**
 * Adds gateway responses to a definition.
 * @throws SamProblem
 */
export function addResponses(id: string, body: Obj, { GatewayResponses: responses }: Obj): void {
  if (responses === undefined) return;
  if (!isObject(responses)) throw resourceProblem(id, "Invalid value for 'GatewayResponses' property.");
  const made: Obj = {};
  for (const [name, response] of Object.entries(responses)) {
    if (!isObject(response))
      throw resourceProblem(
        id,
        `Invalid property type '${pythonType(response)}' for GatewayResponses. Expected an object of type 'GatewayResponse'.`,
      );
    if (isIntrinsic(response))
      throw resourceProblem(
        id,
        'Unable to set GatewayResponses attribute because intrinsic functions are not supported for this field.',
      );
    const unknown = Object.keys(response).find((member) => !MEMBERS.includes(member));
    if (unknown) throw resourceProblem(id, `Invalid property '${unknown}' in 'GatewayResponses' property '${name}'.`);
    const { StatusCode, ResponseTemplates, ResponseParameters } = response;
    if (StatusCode !== undefined && !/^\d+$/.test(String(StatusCode)))
      throw resourceProblem(id, "Property 'StatusCode' must be numeric");
    made[name] = defined({
      statusCode: StatusCode === undefined ? undefined : String(StatusCode),
      responseTemplates: ResponseTemplates ?? {},
      responseParameters: parametersOf(id, name, ResponseParameters),
    });
  }
  body['x-amazon-apigateway-gateway-responses'] = made;
}

function parametersOf(id: string, response: string, given: unknown): Obj {
  if (given === undefined) return {};
  if (!isObject(given))
    throw resourceProblem(id, `Property 'GatewayResponses.${response}.ResponseParameters' should be a map.`);
  const made: Obj = {};
  for (const [kind, values] of Object.entries(given)) {
    const word = PARAMETERS[kind];
    if (!word) throw resourceProblem(id, `Invalid gateway response parameter '${kind}'`);
    for (const [name, value] of Object.entries(isObject(values) ? values : {}))
      made[`gatewayresponse.${word}.${name}`] = value;
  }
  return made;
}

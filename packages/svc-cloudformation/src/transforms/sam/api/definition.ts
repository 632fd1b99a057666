import { isObject } from '@emu/wire';
import { documentProblem } from '../errors.ts';
import type { Obj } from '../values.ts';
import { printed } from '../words.ts';

/** Members of a path that are not methods. */
const NO_METHODS = new Set(['summary', 'description', 'parameters']);

/** Whether a definition is Swagger 2 or OpenAPI 3 that SAM can modify. */
export function isDefinition(body: unknown): body is Obj {
  if (!isObject(body) || !isObject(body.paths)) return false;
  if (body.swagger) return Number.parseFloat(String(body.swagger)) === 2;
  return /^3(?:\.\d+)*$/.test(String(body.openapi));
}

/**
 * Returns the branches of a part of a definition: those of Fn::If, or the part itself.
 * @throws SamProblem
 */
function branchesOf(part: unknown): unknown[] {
  if (!isObject(part) || !Object.hasOwn(part, 'Fn::If')) return [part];
  const branches = part['Fn::If'];
  if (!Array.isArray(branches)) throw documentProblem('Value of Fn::If must be a list.');
  return branches
    .slice(1)
    .flatMap(branchesOf)
    .filter((branch) => !isNothing(branch));
}

const isNothing = (value: unknown): boolean => isObject(value) && value.Ref === 'AWS::NoValue';

/** @throws SamProblem if a path of a definition is not an object */
export function checkPaths({ paths }: Obj): void {
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {}))
    for (const branch of branchesOf(item))
      if (!isObject(branch))
        throw documentProblem(`Value of '${path}' path must be a dictionary according to Swagger spec.`);
}

/** @throws SamProblem if a method of a definition is not an object, or its security is malformed */
export function checkMethods({ paths }: Obj): void {
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {}))
    for (const methods of branchesOf(item))
      for (const [name, method] of Object.entries(isObject(methods) ? methods : {}))
        if (!NO_METHODS.has(name)) for (const branch of branchesOf(method)) checkMethod(path, name, branch);
}

function checkMethod(path: string, name: string, method: unknown): void {
  if (!isObject(method)) throw documentProblem(`Definition of method '${name}' for path '${path}' should be a map.`);
  if (!method['x-amazon-apigateway-integration'] || !Object.hasOwn(method, 'security')) return;
  const { security } = method;
  if (!Array.isArray(security))
    throw documentProblem(`Type of security for path ${path} method ${name} must be a list`);
  for (const entry of security)
    if (!isObject(entry))
      throw documentProblem(`${printed(entry)} in Security for path ${path} method ${name} is not a valid dictionary.`);
}

/** @throws SamProblem if the preflight responses of OpenAPI 3 are malformed */
export function checkResponses({ paths }: Obj): void {
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    const options = isObject(item) ? item.options : undefined;
    const responses = isObject(options) ? options.responses : undefined;
    if (responses === undefined) continue;
    if (!isObject(responses))
      throw documentProblem(`Invalid responses in options method for path ${path}: It should be a map.`);
    const headers = isObject(responses['200']) ? responses['200'].headers : undefined;
    if (headers && !isObject(headers))
      throw documentProblem(
        `Value of response's headers in options method for path ${path} must be a dictionary according to Swagger spec.`,
      );
  }
}

const ENDPOINT = 'x-amazon-apigateway-endpoint-configuration';

/** @throws SamProblem if the default endpoint cannot be disabled in the definition */
export function checkEndpoint(body: Obj): void {
  if (!isDefinition(body))
    throw documentProblem(
      "Invalid Swagger document or the Swagger document is not explicitly defined in 'DefinitionBody'.",
    );
  const isWrong = (part: unknown) => isObject(part) && part[ENDPOINT] !== undefined && !isObject(part[ENDPOINT]);
  const problem = `The value of '${ENDPOINT}' should be a map.`;
  const servers = Array.isArray(body.servers) && body.openapi !== undefined ? body.servers : [];
  const wrong = servers.findIndex(isWrong);
  if (wrong >= 0) throw documentProblem(`Invalid OpenAPI definition of 'servers[${wrong}]': ${problem}`);
  if (body.openapi === undefined && isWrong(body)) throw documentProblem(`Invalid OpenAPI definition: ${problem}`);
}

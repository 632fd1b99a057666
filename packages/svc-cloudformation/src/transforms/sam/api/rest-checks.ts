import { isObject } from '@emu/wire';
import { resourceProblem } from '../errors.ts';
import type { Obj } from '../values.ts';

/** @throws SamProblem for incompatible properties of a REST API */
export function checkRestApi(id: string, properties: Obj): void {
  const { StageName, DefinitionBody, DefinitionUri, OpenApiVersion } = properties;
  if (properties.MergeDefinitions === true && DefinitionUri !== undefined)
    throw resourceProblem(id, "Cannot set 'MergeDefinitions' to True when using `DefinitionUri`.");
  if (DefinitionUri !== undefined) {
    if (properties.Cors)
      throw resourceProblem(id, "Cors works only with inline Swagger specified in 'DefinitionBody' property.");
    if (isObject(properties.Auth) && Object.keys(properties.Auth).length)
      throw resourceProblem(id, "Auth works only with inline Swagger specified in 'DefinitionBody' property.");
    if (properties.DisableExecuteApiEndpoint !== undefined)
      throw resourceProblem(id, "DisableExecuteApiEndpoint works only within 'DefinitionBody' property.");
  }
  const { EndpointConfiguration: endpoint } = properties;
  if (isObject(endpoint) && endpoint.VPCEndpointIds !== undefined && endpoint.VpcEndpointIds !== undefined)
    throw resourceProblem(
      id,
      "'VPCEndpointIds' and 'VpcEndpointIds' cannot be used together in EndpointConfiguration.",
    );
  if (StageName === undefined) throw resourceProblem(id, "Missing required property 'StageName'.");
  if (StageName === '') throw resourceProblem(id, 'StageName cannot be empty.');
  if (DefinitionBody !== undefined && DefinitionUri !== undefined)
    throw resourceProblem(id, "Specify either 'DefinitionUri' or 'DefinitionBody' property and not both.");
  if (DefinitionBody !== undefined && !isObject(DefinitionBody))
    throw resourceProblem(id, "Property 'DefinitionBody' should be a map.");
  if (typeof OpenApiVersion === 'boolean' || Array.isArray(OpenApiVersion))
    throw resourceProblem(id, "Property 'OpenApiVersion' should be a string.");
  if (typeof OpenApiVersion === 'string' && !/^(2|3)\.\d+(\.\d+)?$/.test(OpenApiVersion))
    throw resourceProblem(id, "The OpenApiVersion value must be of the format '3.0.0'.");
}

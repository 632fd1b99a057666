import type { DeepReadonly } from '@emu/core/service';
import type {
  ConnectionErrorCodeType,
  ConnectionStateType,
  CreateCustomKeyStoreRequest,
  CustomKeyStoresListEntry,
  InputOf,
  KmsErrorName,
  OutputOf,
  UpdateCustomKeyStoreRequest,
  XksProxyConfigurationType,
} from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError } from '../errors.ts';
import { checkHealth } from '../key-stores/external.ts';
import { XksProxyError } from '../key-stores/xks-proxy.ts';
import { paging } from '../paging.ts';
import type { CustomKeyStoreRecord } from '../records.ts';

type Store = DeepReadonly<CustomKeyStoreRecord>;

function find(id: string, { state }: KmsContext): Store {
  const store = state.customKeyStores.get(id);
  if (!store) throw kmsError('CustomKeyStoreNotFoundException', '');
  return store;
}

/** Rejects a name, cluster or proxy that another key store uses. */
function requireUnused(record: CustomKeyStoreRecord, { state }: KmsContext): void {
  for (const other of state.customKeyStores.values()) {
    if (other.id === record.id) continue;
    if (other.name === record.name) throw kmsError('CustomKeyStoreNameInUseException', '');
    if (record.cloudHsmClusterId !== undefined && other.cloudHsmClusterId === record.cloudHsmClusterId)
      throw kmsError('CloudHsmClusterInUseException', '');
    const { xksProxy } = record;
    if (
      xksProxy &&
      other.xksProxy?.UriEndpoint === xksProxy.UriEndpoint &&
      other.xksProxy?.UriPath === xksProxy.UriPath
    )
      throw kmsError('XksProxyUriInUseException', '');
  }
}

const PROXY_MEMBERS = [
  'XksProxyUriEndpoint',
  'XksProxyUriPath',
  'XksProxyAuthenticationCredential',
  'XksProxyConnectivity',
  'XksProxyVpcEndpointServiceName',
  'XksProxyVpcEndpointServiceOwner',
] as const;
const CLUSTER_MEMBERS = ['CloudHsmClusterId', 'TrustAnchorCertificate', 'KeyStorePassword'] as const;

type Given = Omit<CreateCustomKeyStoreRequest & UpdateCustomKeyStoreRequest, 'CustomKeyStoreName' | 'CustomKeyStoreId'>;
type Member = keyof Given;

function requireMembers(input: Given, names: readonly Member[], type: string): void {
  const missing = names.find((name) => input[name] === undefined);
  if (missing) throw invalid(`${missing} is required for key stores of type ${type}.`);
}

function refuseMembers(input: Given, names: readonly Member[], type: string): void {
  const wrong = names.find((name) => input[name] !== undefined);
  if (wrong) throw invalid(`${wrong} is not valid for key stores of type ${type}.`);
}

/**
 * Returns the proxy's configuration with the changes from the input. The secret access key is write-only and stored
 * separately.
 */
function proxyOf(input: Given, before: DeepReadonly<XksProxyConfigurationType> = {}): XksProxyConfigurationType {
  const after: XksProxyConfigurationType = {
    Connectivity: input.XksProxyConnectivity ?? before.Connectivity,
    AccessKeyId: input.XksProxyAuthenticationCredential?.AccessKeyId ?? before.AccessKeyId,
    UriEndpoint: input.XksProxyUriEndpoint ?? before.UriEndpoint,
    UriPath: input.XksProxyUriPath ?? before.UriPath,
  };
  if (after.Connectivity === 'VPC_ENDPOINT_SERVICE') {
    after.VpcEndpointServiceName = input.XksProxyVpcEndpointServiceName ?? before.VpcEndpointServiceName;
    after.VpcEndpointServiceOwner = input.XksProxyVpcEndpointServiceOwner ?? before.VpcEndpointServiceOwner;
    if (after.VpcEndpointServiceName === undefined)
      throw invalid('XksProxyVpcEndpointServiceName is required with VPC_ENDPOINT_SERVICE.');
  } else if (input.XksProxyVpcEndpointServiceName !== undefined)
    throw invalid('XksProxyVpcEndpointServiceName is only valid with VPC_ENDPOINT_SERVICE.');
  return after;
}

/** Checks what can be connected: emu has no clusters and no VPC endpoints; proxies are called. */
async function problemOf(store: Store, ctx: KmsContext): Promise<ConnectionErrorCodeType | undefined> {
  if (store.type === 'AWS_CLOUDHSM') return 'CLUSTER_NOT_FOUND';
  if (store.xksProxy?.Connectivity === 'VPC_ENDPOINT_SERVICE') return 'XKS_VPC_ENDPOINT_SERVICE_NOT_FOUND';
  try {
    await checkHealth(store, ctx);
    return undefined;
  } catch (error) {
    if (!(error instanceof XksProxyError)) throw error;
    ctx.log.warn(`the proxy of the custom key store ${store.name} does not respond: ${error.message}`);
    return error.reason;
  }
}

/** Errors for a store whose cluster or proxy fails the check. */
const REFUSALS: Partial<Record<ConnectionErrorCodeType, KmsErrorName>> = {
  CLUSTER_NOT_FOUND: 'CloudHsmClusterNotFoundException',
  XKS_VPC_ENDPOINT_SERVICE_NOT_FOUND: 'XksProxyVpcEndpointServiceNotFoundException',
  XKS_PROXY_ACCESS_DENIED: 'XksProxyIncorrectAuthenticationCredentialException',
  XKS_PROXY_INVALID_RESPONSE: 'XksProxyInvalidResponseException',
  XKS_PROXY_INVALID_TLS_CONFIGURATION: 'XksProxyInvalidConfigurationException',
};

/** Rejects a store whose cluster or proxy does not exist, as AWS does, if policies are enforced. */
async function checkBackendExists(store: Store, ctx: KmsContext): Promise<void> {
  const problem = await problemOf(store, ctx);
  if (problem) ctx.wouldRefuse(kmsError(REFUSALS[problem] ?? 'XksProxyUriUnreachableException', ''));
}

/** Stores a disconnected custom key store whose cluster or proxy exists. */
export async function CreateCustomKeyStore(
  input: InputOf<'CreateCustomKeyStore'>,
  ctx: KmsContext,
): Promise<OutputOf<'CreateCustomKeyStore'>> {
  const type = input.CustomKeyStoreType ?? 'AWS_CLOUDHSM';
  const external = type === 'EXTERNAL_KEY_STORE';
  requireMembers(input, external ? PROXY_MEMBERS.slice(0, 4) : CLUSTER_MEMBERS, type);
  refuseMembers(input, external ? CLUSTER_MEMBERS : PROXY_MEMBERS, type);
  const id = `cks-${ctx.ids.hex(17)}`;
  const record: CustomKeyStoreRecord = {
    id,
    name: input.CustomKeyStoreName,
    type,
    connected: false,
    createdAt: ctx.clock.now(),
    ...(external
      ? { xksProxy: proxyOf(input), xksSecret: input.XksProxyAuthenticationCredential!.RawSecretAccessKey }
      : { cloudHsmClusterId: input.CloudHsmClusterId!, trustAnchorCertificate: input.TrustAnchorCertificate! }),
  };
  requireUnused(record, ctx);
  await checkBackendExists(record, ctx);
  requireUnused(record, ctx);
  ctx.state.customKeyStores.put(id, record);
  return { CustomKeyStoreId: id };
}

/** Returns the connection state of a store. Connecting succeeds or fails immediately. */
function connectionOf({ connected, connectionError }: Store): ConnectionStateType {
  if (connectionError) return 'FAILED';
  return connected ? 'CONNECTED' : 'DISCONNECTED';
}

function describe(store: Store): CustomKeyStoresListEntry {
  return {
    CustomKeyStoreId: store.id,
    CustomKeyStoreName: store.name,
    CustomKeyStoreType: store.type,
    CloudHsmClusterId: store.cloudHsmClusterId,
    TrustAnchorCertificate: store.trustAnchorCertificate,
    ConnectionState: connectionOf(store),
    ConnectionErrorCode: store.connectionError,
    CreationDate: new Date(store.createdAt),
    ...(store.xksProxy && { XksProxyConfiguration: { ...store.xksProxy } }),
  };
}

/** Lists all custom key stores, or one by id or name. */
export function DescribeCustomKeyStores(
  input: InputOf<'DescribeCustomKeyStores'>,
  { state }: KmsContext,
): OutputOf<'DescribeCustomKeyStores'> {
  const { CustomKeyStoreId: id, CustomKeyStoreName: name } = input;
  if (id !== undefined && name !== undefined)
    throw invalid('Specify CustomKeyStoreId or CustomKeyStoreName, but not both.');
  const stores = [...state.customKeyStores.values()].filter(
    (store) => (id === undefined || store.id === id) && (name === undefined || store.name === name),
  );
  if (!stores.length && (id !== undefined || name !== undefined)) throw kmsError('CustomKeyStoreNotFoundException', '');
  return paging.page('DescribeCustomKeyStores', input, stores, (store) => store.id).list(describe);
}

/** Updates a custom key store. */
export async function UpdateCustomKeyStore(input: InputOf<'UpdateCustomKeyStore'>, ctx: KmsContext) {
  const store = find(input.CustomKeyStoreId, ctx);
  const external = store.type === 'EXTERNAL_KEY_STORE';
  refuseMembers(input, external ? CLUSTER_MEMBERS : PROXY_MEMBERS, store.type);
  const disruptive = external
    ? input.XksProxyConnectivity !== undefined || input.XksProxyVpcEndpointServiceName !== undefined
    : true;
  if (connectionOf(store) !== 'DISCONNECTED' && disruptive)
    throw kmsError('CustomKeyStoreInvalidStateException', `The custom key store ${store.id} is not disconnected.`);
  const { trustAnchorCertificate, cloudHsmClusterId } = store;
  const record: CustomKeyStoreRecord = {
    id: store.id,
    type: store.type,
    connected: store.connected,
    createdAt: store.createdAt,
    name: input.NewCustomKeyStoreName ?? store.name,
    ...(trustAnchorCertificate !== undefined && { trustAnchorCertificate }),
    ...(cloudHsmClusterId !== undefined && { cloudHsmClusterId: input.CloudHsmClusterId ?? cloudHsmClusterId }),
    ...(store.connectionError && { connectionError: store.connectionError }),
    ...(external && { xksProxy: proxyOf(input, store.xksProxy) }),
  };
  const xksSecret = input.XksProxyAuthenticationCredential?.RawSecretAccessKey ?? store.xksSecret;
  if (xksSecret !== undefined) record.xksSecret = xksSecret;
  requireUnused(record, ctx);
  if (Object.keys(input).some((name) => name.startsWith('Xks') || name === 'CloudHsmClusterId'))
    await checkBackendExists(record, ctx);
  ctx.state.customKeyStores.put(store.id, record);
  return {};
}

/** Deletes a disconnected custom key store without keys. */
export function DeleteCustomKeyStore(input: InputOf<'DeleteCustomKeyStore'>, ctx: KmsContext) {
  const store = find(input.CustomKeyStoreId, ctx);
  if (connectionOf(store) !== 'DISCONNECTED')
    throw kmsError('CustomKeyStoreInvalidStateException', `The custom key store ${store.id} is not disconnected.`);
  for (const { customKeyStoreId } of ctx.state.keys.values())
    if (customKeyStoreId === store.id) throw kmsError('CustomKeyStoreHasCMKsException', '');
  ctx.state.customKeyStores.delete(store.id);
  return {};
}

/**
 * Connects a custom key store, which makes its keys usable, or records why it failed.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_ConnectCustomKeyStore.html
 */
export async function ConnectCustomKeyStore(input: InputOf<'ConnectCustomKeyStore'>, ctx: KmsContext) {
  const store = find(input.CustomKeyStoreId, ctx);
  if (store.connectionError)
    throw kmsError(
      'CustomKeyStoreInvalidStateException',
      `The custom key store ${store.id} has failed to connect; disconnect it first.`,
    );
  const problem = store.connected ? undefined : await problemOf(store, ctx);
  ctx.state.customKeyStores.update(find(store.id, ctx).id, (draft) => {
    draft.connected = problem === undefined;
    if (problem) draft.connectionError = problem;
  });
  return {};
}

/** Disconnects a custom key store. Its keys become unavailable. */
export function DisconnectCustomKeyStore(input: InputOf<'DisconnectCustomKeyStore'>, ctx: KmsContext) {
  const store = find(input.CustomKeyStoreId, ctx);
  if (connectionOf(store) === 'DISCONNECTED')
    throw kmsError('CustomKeyStoreInvalidStateException', `The custom key store ${store.id} is not connected.`);
  ctx.state.customKeyStores.update(store.id, (draft) => {
    draft.connected = false;
    delete draft.connectionError;
  });
  return {};
}

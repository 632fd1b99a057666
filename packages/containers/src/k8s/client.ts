// The part of the client that is used: a bundle leaves out the rest, which is large.
export { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

import type { Socket } from 'node:net';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';

/**
 * Opens the stream to a container's input and from its outputs.
 * @param input whether any input will be sent
 * @see https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerAttach
 */
export function attach({ docker }: Engine, container: Docker.Container, input: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/containers/${container.id}/attach?`,
        method: 'POST',
        isStream: true,
        hijack: true,
        openStdin: true,
        options: { stream: true, stdin: input, stdout: true, stderr: true },
        // An empty body. Any other body, even an end of chunks, would become the first input of the container.
        file: Buffer.alloc(0) as unknown as string,
        statusCodes: {
          101: true,
          200: true,
          404: 'no such container',
          409: 'it is being removed',
          500: 'server error',
        },
      },
      (error, stream) => (error ? reject(error as Error) : resolve(stream as Socket)),
    );
  });
}

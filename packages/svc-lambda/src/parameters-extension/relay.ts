/**
 * Programs that listen at the extension's port in a container and forward requests to the Runtime API, where the
 * emulator serves the extension. One per interpreter, because each runtime image has only one. Arguments: the port and
 * the address of the Runtime API.
 */
const NODE = `
const net = require('net');
const [port, api] = process.argv.slice(1);
const at = api.lastIndexOf(':');
const server = net.createServer((client) => {
  const emulator = net.connect(Number(api.slice(at + 1)), api.slice(0, at));
  client.on('error', () => emulator.destroy());
  emulator.on('error', () => client.destroy());
  client.pipe(emulator).pipe(client);
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
`;

const PYTHON = `
import socket, sys, threading

def pass_on(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass

host, _, number = sys.argv[2].rpartition(':')
server = socket.create_server(('127.0.0.1', int(sys.argv[1])))
print('ready', flush=True)
while True:
    client, _ = server.accept()
    try:
        emulator = socket.create_connection((host, int(number)))
    except OSError:
        client.close()
        continue
    for source, target in ((client, emulator), (emulator, client)):
        threading.Thread(target=pass_on, args=(source, target), daemon=True).start()
`;

const RUBY = `
require 'socket'
host, _, number = ARGV[1].rpartition(':')
server = TCPServer.new('127.0.0.1', ARGV[0].to_i)
puts 'ready'
$stdout.flush
loop do
  client = server.accept
  begin
    emulator = TCPSocket.new(host, number.to_i)
  rescue SystemCallError
    client.close
    next
  end
  [[client, emulator], [emulator, client]].each do |source, target|
    Thread.new do
      begin
        IO.copy_stream(source, target)
        target.close_write
      rescue IOError, SystemCallError
      end
    end
  end
end
`;

/** Starts the relay and continues once it listens; fails if the image cannot run it. */
export const WITH_RELAY = [
  'port="$1" node="$2" python="$3" ruby="$4" ready=/tmp/.emu-parameters-extension; shift 4',
  'has() { command -v "$1" >/dev/null 2>&1; }',
  'relay() { unset NODE_OPTIONS RUBYOPT',
  'if has node; then exec node --max-old-space-size=16 -e "$node" "$port" "$AWS_LAMBDA_RUNTIME_API"',
  'elif has python3; then exec python3 -I -c "$python" "$port" "$AWS_LAMBDA_RUNTIME_API"',
  'else exec ruby -e "$ruby" "$port" "$AWS_LAMBDA_RUNTIME_API"; fi; }',
  'if ! has node && ! has python3 && ! has ruby; then',
  'echo "the Parameters and Secrets extension needs node, python3 or ruby in the image" >&2; exit 1; fi',
  'rm -f "$ready"; relay >"$ready" & pid=$!',
  'while [ ! -s "$ready" ]; do kill -0 "$pid" 2>/dev/null || exit 1; sleep 0.01; done',
].join('\n');

/** Arguments that `WITH_RELAY` takes before the program. */
export const relayArguments = (port: number): string[] => [String(port), NODE, PYTHON, RUBY];

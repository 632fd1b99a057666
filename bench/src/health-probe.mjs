// Requests the health of an emulator at fixed times, independent of earlier responses, and prints the latencies.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, every } = workerData;
const agent = new Agent({ keepAlive: true });
const latencies = [];
let waiting = 0;
let ending = false;

const end = () => {
  if (!ending || waiting > 0) return;
  agent.destroy();
  parentPort.postMessage(latencies);
  parentPort.close();
};

const ask = () => {
  const started = performance.now();
  waiting++;
  const done = (latency) => {
    latencies.push(latency);
    waiting--;
    end();
  };
  request(`${url}/_emulator/health`, { agent }, (response) => {
    response.resume();
    response.on('end', () => done(performance.now() - started));
  })
    .on('error', () => done(Number.POSITIVE_INFINITY))
    .end();
};

const timer = setInterval(ask, every);
parentPort.once('message', () => {
  clearInterval(timer);
  ending = true;
  end();
});

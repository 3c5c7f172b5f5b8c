import { BOOST_LASTS_DAYS, GRACE_DAYS } from '@guildhall/wire/boost/trend.ts'
import { texts } from '@guildhall/wire/locale.ts'

/** Texts of /account/boost alone. */
export const packsText = texts({
  'zh-CN': {
    boosts: '助力包',
    unused: '未使用的助力包',
    use: '立即使用',
    benefits: '助力能带来什么',
    benefit1: '为喜欢的公会提升等级，所有成员一起受益',
    benefit2: `每个助力包使用后 ${BOOST_LASTS_DAYS} 天内有效`,
    benefit3: `等级下降时有 ${GRACE_DAYS} 天缓冲期，等级权益保留`,
    boosted: '我助力的公会',
    boostedNone: '还没有助力任何公会',
    ends: (day: string) => `${day} 到期`,
    help: '帮助：助力包怎么用？',
    helpTitle: '助力包怎么用',
    helpWords: `购买后在这里或公会的助力页使用。使用后 ${BOOST_LASTS_DAYS} 天内有效，不能撤回。公会的等级由正在使用的助力包数量决定，到期后自动减少。`,
    ok: '知道了',
  },
  en: {
    boosts: 'Boost packs',
    unused: 'Unused boost packs',
    use: 'Use now',
    benefits: 'What a boost brings',
    benefit1: 'Raise the level of a guild that you like, for all of its members',
    benefit2: `Each pack lasts ${BOOST_LASTS_DAYS} days once it is used`,
    benefit3: `When a level drops, its rights stay for ${GRACE_DAYS} more days`,
    boosted: 'Guilds that I boost',
    boostedNone: 'You do not boost any guild yet',
    ends: (day: string) => `until ${day}`,
    help: 'Help: how do I use boost packs?',
    helpTitle: 'How to use boost packs',
    helpWords: `Use them here or on the boost page of a guild. A used pack lasts ${BOOST_LASTS_DAYS} days and cannot be taken back. The level of a guild follows from the packs in use.`,
    ok: 'OK',
  },
})

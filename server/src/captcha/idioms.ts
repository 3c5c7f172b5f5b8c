/**
 * Idioms that people know and that no other order of their characters is one of. `glyphs/han.json` has their
 * characters. Each has four: `draw.ts` places so many.
 */
export const IDIOMS: readonly string[] =
  '画蛇添足 守株待兔 亡羊补牢 掩耳盗铃 井底之蛙 狐假虎威 对牛弹琴 叶公好龙 刻舟求剑 杯弓蛇影 买椟还珠 拔苗助长 滥竽充数 愚公移山 精卫填海 卧薪尝胆 破釜沉舟 纸上谈兵 望梅止渴 三顾茅庐 草木皆兵 闻鸡起舞 凿壁偷光 铁杵成针 水滴石穿 画龙点睛 胸有成竹 鹤立鸡群 鱼目混珠 马到成功 雪中送炭 锦上添花 春暖花开 百花齐放 自相矛盾 南辕北辙 朝三暮四 狼吞虎咽 虎头蛇尾 金鸡独立 开门见山 四海为家 半途而废 异口同声 东张西望 七上八下'.split(
    ' ',
  )

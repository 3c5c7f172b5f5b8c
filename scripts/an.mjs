import {readFileSync} from 'node:fs'; import path from 'node:path'; import {gzipSync} from 'node:zlib'
import { SourceMapConsumer } from 'source-map-js'
const D=process.argv[2], page=process.argv[3], extra=process.argv.slice(4)
const man=JSON.parse(readFileSync(D+'/.vite/manifest.json','utf8'))
const html=readFileSync(D+'/'+page,'utf8')
const files=new Set([...html.matchAll(/assets\/[\w.-]+\.js/g)].map(m=>m[0]))
for (const e of extra) files.add(man[e].file)
const add=(f)=>{ const c=Object.values(man).find(x=>x.file===f); for (const i of c?.imports??[]) {const g=man[i].file; if(!files.has(g)){files.add(g);add(g)}} }
for (const f of [...files]) add(f)
const by=new Map(); let total=0
for (const f of files){ const src=readFileSync(path.join(D,f),'utf8'); const gz=gzipSync(src,{level:9}).length; total+=gz; let map; try{map=JSON.parse(readFileSync(path.join(D,f+'.map'),'utf8'))}catch{by.set(f,gz);continue}
 const c=new SourceMapConsumer(map); const lines=src.split('\n'); const per=new Map()
 const ms=[]; c.eachMapping(m=>ms.push(m)); 
 for(let i=0;i<ms.length;i++){const m=ms[i],n=ms[i+1]; const len=n&&n.generatedLine===m.generatedLine?n.generatedColumn-m.generatedColumn:lines[m.generatedLine-1].length-m.generatedColumn; per.set(m.source,(per.get(m.source)??0)+Math.max(0,len))}
 const sum=[...per.values()].reduce((a,b)=>a+b,0)
 for(const [s,n] of per) by.set(s,(by.get(s)??0)+n/sum*gz)
}
console.log(files.size,total)
for(const [s,n] of [...by].sort((a,b)=>b[1]-a[1])) console.log(Math.round(n),String(s).replace(/.*?(node_modules|src\/|wire\/src)/,'$1'))

/** What a chart shows, as a table for those who do not see it. The first column names the row. */
export function ChartTable(props: {
  caption: string
  columns: readonly string[]
  rows: readonly (readonly [name: string, ...values: readonly (string | number)[]])[]
}) {
  return (
    // A table would not be as small as it is told to be.
    <div className="unseen">
      <table>
        <caption>{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, column) => (
                <td key={props.columns[column + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

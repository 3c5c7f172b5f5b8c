import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { auditStatus } from '@guildhall/wire/guild/recommend.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { DESC_MAX, type GuildProfile, viewUpdate } from '@guildhall/wire/profile/profile.ts'
import { useEffect, useId, useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { closePage, hasNativeBar, leavePage, useNavigationBar } from '../native/shellPage.ts'
import { Button } from '../ui/Button.tsx'
import fieldStyles from '../ui/form/Field.module.css'
import { Field } from '../ui/form/Field.tsx'
import { WordsField } from '../ui/form/WordsField.tsx'
import { EditIcon, PlusIcon } from '../ui/icon/channelIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { leaveLayers, useLayer } from '../ui/overlay/layers.ts'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { Banner } from '../ui/picture/Banner.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { GuildNotLoaded, NoGuildHere } from '../ui/state/GuildNotLoaded.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { isDirty } from './changed.ts'
import styles from './Profile.module.css'
import { text } from './text.ts'
import { type PickedPicture, usePicked } from './usePicked.ts'
import { useSaveProfile } from './useSaveProfile.ts'

const CropPicture = lazy(() => loadPart(() => import('./CropPicture.tsx')))

/** /guild/profile/{guildId}: how a guild looks to others. commerce.md §2, §4, §5. */
export default function ProfileScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const info = guild.answer?.recommend_info ?? null
  const mayManage = guild.answer !== null && has(guild.answer.permissions, permission.manage_guild)
  const update = useRouteQuery(viewUpdate, { guild_id: guildId }, info !== null && mayManage)
  // The form begins anew with the decision, and the notice stays.
  const [isHandedIn, setHandedIn] = useState(false)
  const status = info?.audit_status
  // Its event says that the guild changed, and not how its change looks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status is why the answer is outdated
  useEffect(() => invalidateRoute(viewUpdate, { guild_id: guildId }), [guildId, status])
  const title = info?.audit_status === auditStatus.waits ? t.waitsTitle : t.title
  useProductTitle(title)
  if (guild.answer && mayManage && (info === null || update.answer)) {
    const { name, icon, topic, banner } = guild.answer
    const profile = info && update.answer ? update.answer : { name, icon, desc: topic, banner }
    return (
      <>
        {/* What is typed stays when the guild changes; a decision begins anew. */}
        <ProfileForm
          key={info?.audit_status ?? 'own'}
          guild={guild.answer}
          profile={profile}
          title={title}
          onHandedIn={() => setHandedIn(true)}
        />
        {isHandedIn && (
          <Dialog
            title={t.handedIn}
            message={t.oneDay}
            confirm={t.ok}
            onClose={() => {
              setHandedIn(false)
              void closePage()
            }}
          />
        )}
      </>
    )
  }
  const failed = guild.answer ? update : guild
  return (
    <Page>
      <TopBar title={title} onBack={() => void leavePage()} />
      <main className={styles.screen}>
        {failed.failure ? (
          <GuildNotLoaded title={t.failed} failure={failed.failure} onRetry={failed.refetch} />
        ) : guild.answer && !mayManage ? (
          <NoGuildHere title={t.noRight} />
        ) : (
          <LoadingState />
        )}
      </main>
    </Page>
  )
}

/** What is typed, beside what is stored, and saving it. */
function useDraft(guild: Guild, profile: GuildProfile, onHandedIn: () => void) {
  const [baseline, setBaseline] = useState(profile)
  const [draft, setDraft] = useState(profile)
  const take = (stored: GuildProfile) => {
    setBaseline(stored)
    setDraft(stored)
  }
  // What else is typed stays, and so does another banner that was chosen.
  const onBannerRemoved = () => {
    setDraft((now) => (now.banner === baseline.banner ? { ...now, banner: '' } : now))
    setBaseline((now) => ({ ...now, banner: '' }))
  }
  const saving = useSaveProfile(guild, baseline, { onSaved: take, onBannerRemoved, onHandedIn })
  const dirty = isDirty(baseline, draft)
  const { name, icon, desc, banner } = profile
  // Somebody else may change the guild meanwhile; what is typed here stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values, not the object
  useEffect(() => {
    if (!dirty && !saving.isBusy) take(profile)
  }, [name, icon, desc, banner])
  const set = (change: Partial<GuildProfile>) => {
    setDraft((now) => ({ ...now, ...change }))
    saving.forget(Object.keys(change) as (keyof GuildProfile)[])
  }
  return { ...saving, draft, dirty, set, save: () => void saving.save(draft) }
}

function ProfileForm(props: { guild: Guild; profile: GuildProfile; title: string; onHandedIn: () => void }) {
  const { guild, profile, title } = props
  const t = useText(text)
  const editing = useDraft(guild, profile, props.onHandedIn)
  const { dirty, save } = editing
  const [isAsked, setAsked] = useState(false)
  const picked = usePicked()
  const leave = () => (dirty ? setAsked(true) : void leavePage())
  useLeaveGuard(dirty, isAsked, () => setAsked(true))
  const saves = dirty && {
    action: { text: t.save, enabled: !editing.isBusy, onPress: save },
    onLeft: leave,
  }
  useNavigationBar(picked.picture ? { title: t.cropTitle, onLeft: picked.close } : { title, ...saves })
  if (picked.picture)
    return (
      <Cropping
        picked={picked.picture}
        level={guild.level}
        onDone={(kind, url) => {
          editing.set({ [kind]: url })
          picked.close()
        }}
        onClose={picked.close}
      />
    )
  const saveButton = dirty && (
    <Button kind="plain" busy={editing.isBusy} onPress={save}>
      {t.save}
    </Button>
  )
  return (
    <Page>
      {!hasNativeBar() && <TopBar title={title} onBack={leave} actions={saveButton} />}
      <AuditNotice info={guild.recommend_info} />
      <Fields guild={guild} profile={editing} picked={picked} />
      {isAsked && (
        <Dialog
          title={t.leaveTitle}
          message={t.leaveWords}
          confirm={t.leave}
          cancel={t.stay}
          danger
          onConfirm={() => void leaveLayers().then(() => leavePage())}
          onClose={() => setAsked(false)}
        />
      )}
    </Page>
  )
}

function Cropping(props: {
  picked: PickedPicture
  level: number
  onDone: (kind: PickedPicture['kind'], url: string) => void
  onClose: () => void
}) {
  const t = useText(text)
  const { kind, prepared } = props.picked
  return (
    <Page>
      {!hasNativeBar() && <TopBar title={t.cropTitle} onBack={props.onClose} />}
      <Suspense fallback={<LoadingState page />}>
        <CropPicture {...props} key={prepared.url} onDone={(url) => props.onDone(kind, url)} />
      </Suspense>
    </Page>
  )
}

/** While the form is dirty, Back asks first, and so does the browser when the tab is closed. */
function useLeaveGuard(isOn: boolean, isAsked: boolean, ask: () => void): void {
  useLayer(isOn && !isAsked, ask)
  useEffect(() => {
    if (!isOn) return
    const stop = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stop)
    return () => removeEventListener('beforeunload', stop)
  }, [isOn])
}

/** How the last change of a recommended guild stands. */
function AuditNotice({ info }: { info: Guild['recommend_info'] }) {
  const t = useText(text)
  if (!info) return null
  if (info.audit_status === auditStatus.waits) return <Banner>{t.waits}</Banner>
  if (info.audit_status === auditStatus.rejected)
    return (
      <Banner>
        <strong>{t.rejected}</strong>
        {info.audit_reason !== '' && <p>{t.why(info.audit_reason)}</p>}
      </Banner>
    )
  return info.update_day_gap > 0 ? <Banner>{t.locked(info.update_day_gap)}</Banner> : null
}

interface FieldsProps {
  readonly guild: Guild
  readonly profile: ReturnType<typeof useDraft>
  readonly picked: ReturnType<typeof usePicked>
}

function Fields(props: FieldsProps) {
  const t = useText(text)
  const { guild, profile, picked } = props
  const { draft, form, set } = profile
  const info = guild.recommend_info
  const isLocked = info !== null && (info.audit_status === auditStatus.waits || info.update_day_gap > 0)
  return (
    <main className={styles.screen}>
      <form
        ref={form.ref}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (profile.dirty) profile.save()
        }}
      >
        <fieldset className={styles.fields} disabled={isLocked}>
          <PictureRow
            kind="icon"
            label={t.icon}
            tip={t.iconTip}
            error={picked.errors.icon ?? form.errors.icon}
            picked={picked}
          >
            <span className={styles.icon}>
              <GuildIcon id={guild.id} name={draft.name} src={draft.icon} size={88} />
              <span className={styles.sign}>
                <EditIcon size={14} />
              </span>
            </span>
          </PictureRow>
          <Field
            label={t.name}
            name="name"
            autoComplete="off"
            value={draft.name}
            maxLength={60}
            error={form.errors.name}
            onChange={(name) => set({ name })}
          />
          <WordsField
            label={t.desc}
            name="desc"
            most={DESC_MAX}
            value={draft.desc}
            error={form.errors.desc}
            onChange={(desc) => set({ desc })}
          />
          {(info !== null || hasRight('guild_banner', guild.level)) && <BannerPart {...props} />}
        </fieldset>
        <p className={fieldStyles.formProblem} role="alert">
          {form.problem}
        </p>
      </form>
    </main>
  )
}

/** The banner, and taking it away, which a recommended guild hands in like any other change. */
function BannerPart({ guild, profile, picked }: FieldsProps) {
  const t = useText(text)
  const { draft, form } = profile
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <PictureRow
        kind="banner"
        label={t.banner}
        tip={t.bannerTip}
        error={picked.errors.banner ?? form.errors.banner}
        picked={picked}
      >
        <span className={styles.banner}>
          {draft.banner === '' ? <PlusIcon /> : <img src={hrefOf(draft.banner)} alt="" />}
        </span>
      </PictureRow>
      {guild.recommend_info === null && guild.banner !== '' && (
        <Button kind="quiet" block onPress={() => setRemoving(true)}>
          {t.remove}
        </Button>
      )}
      {isRemoving && (
        <Dialog
          title={t.removeTitle}
          message={t.removeWords}
          confirm={t.remove}
          danger
          onConfirm={() => {
            setRemoving(false)
            profile.removeBanner()
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

/** A picture that opens the choice of another one, with its label above it, and what is said of it below. */
function PictureRow(props: {
  kind: 'icon' | 'banner'
  label: string
  tip: string
  error: string | undefined
  picked: ReturnType<typeof usePicked>
  children: React.ReactNode
}) {
  const t = useText(text)
  const id = useId()
  const { kind, picked } = props
  return (
    <div className={styles.picture} data-part={kind}>
      <span className={fieldStyles.label}>{props.label}</span>
      <label className={styles.pick} data-busy={picked.isOpening || undefined}>
        <input
          type="file"
          className={styles.file}
          accept="image/png,image/jpeg,image/gif,.jpg"
          aria-label={`${t.change} ${props.label}`}
          aria-describedby={`${id}-tip ${id}-error`}
          aria-invalid={props.error ? true : undefined}
          onChange={({ target }) => {
            void picked.open(kind, target.files?.[0])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
        {props.children}
      </label>
      <p className={styles.tip} id={`${id}-tip`}>
        {props.tip}
      </p>
      <p className={fieldStyles.error} id={`${id}-error`} aria-live="polite">
        {props.error}
      </p>
    </div>
  )
}

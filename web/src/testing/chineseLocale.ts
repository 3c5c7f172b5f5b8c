// Runs before a screen's test loads anything: the stored locale is Chinese.
localStorage.setItem('locale', 'zh-CN')
